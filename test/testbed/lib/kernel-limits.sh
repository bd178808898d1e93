# shellcheck shell=bash
# Limits of this machine's kernel, which all nodes share. A node takes about 20 inotify instances; where none is left, its
# systemd, containerd or kubelet fails, and kind waits four minutes for a control plane that never comes.
. "${BASH_SOURCE[0]%/*}/log.sh"

raise_kernel_limits() {
  raise_limit fs.inotify.max_user_instances 1024
  raise_limit fs.inotify.max_user_watches 524288
}

# raise_limit NAME MINIMUM: never lowers it; a machine that forbids it still carries one or two small clusters
raise_limit() {
  local present; present=$(sysctl -n "$1" 2> /dev/null) || return 0
  [ "$present" -lt "$2" ] || return 0
  log "raising $1 from $present to $2"
  sysctl -q -w "$1=$2" || log "warning: $1 stays at $present: more than a few nodes at once will fail to start"
}
