# shellcheck shell=bash
# Who a process id names. Ids are used again, so a pid file alone says nothing about who runs.
. "${BASH_SOURCE[0]%/*}/log.sh"

# stat_field PID NUMBER: a field of /proc/PID/stat, numbered as in proc(5), from 3 on
stat_field() {
  local text fields; text=$(cat "/proc/$1/stat" 2> /dev/null) || return 1
  # the second field is a name in parentheses, which may itself hold spaces and parentheses
  read -ra fields <<< "${text##*) }"
  echo "${fields[$2 - 3]}"
}

# identity PID: tells a process from every other one that has had or will have its id
identity() {
  local started; started=$(stat_field "$1" 22) || return 1
  echo "$1 $started $(cat /proc/sys/kernel/random/boot_id)"
}

# runs PID: a zombie has ended, although it still has an id
runs() { local state; state=$(stat_field "$1" 3) && [[ $state != [ZX] ]]; }

# pid_in FILE NAME: prints the id in FILE if that process runs and is called NAME; otherwise says why not, status 1
pid_in() {
  local pid name; pid=$(tr -d '[:space:]' < "$1")
  [[ $pid =~ ^[1-9][0-9]*$ ]] || { echo "it holds no process id"; return 1; }
  runs "$pid" || { echo "process $pid has ended"; return 1; }
  name=$(cat "/proc/$pid/comm" 2> /dev/null) || { echo "process $pid has ended"; return 1; }
  [ "$name" = "$2" ] || { echo "process $pid is now $name"; return 1; }
  echo "$pid"
}

# remove_stale_pid_file FILE NAME: removes FILE unless it names a running process called NAME
remove_stale_pid_file() {
  local why
  [ -e "$1" ] || return 0
  ! why=$(pid_in "$1" "$2") || return 0
  log "removing $1, left behind by $2: $why"
  rm -f "$1"
}

# remove_stale_socket FILE: removes a Unix socket that no process listens on
remove_stale_socket() {
  local bound
  [ -S "$1" ] || return 0
  # a path is listed as its owner wrote it, perhaps through a link such as /var/run
  while read -r bound; do
    [[ ! $bound -ef $1 ]] || return 0
  done < <(sed -n 's|^[^/@]*/|/|p' /proc/net/unix | grep -F "/${1##*/}")
  log "removing $1: no process listens on it"
  rm -f "$1"
}
