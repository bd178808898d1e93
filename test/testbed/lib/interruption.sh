# shellcheck shell=bash
# Leaving without a trace: whatever ends the script, its running program is ended and its containers are removed.
# Programs that take long run in the background of `wait`, because bash runs no trap while a foreground program runs.
. "${BASH_SOURCE[0]%/*}/log.sh"
. "${BASH_SOURCE[0]%/*}/processes.sh"

# The process group of the program that is waited for. A function's local variable of this name would be seen here instead,
# so it has a name that no function would choose.
interruptible_group=
undo_steps=()

# leave_cleanly: from here on the end of the script, also by a signal, undoes what it must not leave behind
leave_cleanly() {
  trap clean_up EXIT
  trap 'log interrupted; exit 130' INT
  trap 'log terminated; exit 143' TERM HUP
}

# undo_at_exit COMMAND...: one step of what leave_cleanly promises; must be able to fail harmlessly
undo_at_exit() { undo_steps+=("$(printf '%q ' "$@")"); }

clean_up() {
  local status=$? step
  trap '' INT TERM HUP
  [ -z "$interruptible_group" ] || end_group "$interruptible_group"
  for step in "${undo_steps[@]}"; do eval "$step" > /dev/null 2>&1 || true; done
  exit "$status"
}

# end_group GROUP: asks a process group to end, and after 10 s no longer asks. GROUP must be a group that this script
# made, hence the id of a child: to kill, 1 would mean every process of the machine, and 0 the caller's own group.
end_group() {
  local tick
  [[ $1 =~ ^[1-9][0-9]+$ && $(stat_field "$1" 4) = "$BASHPID" && $(stat_field "$1" 5) = "$1" ]] || return 0
  kill -TERM -- "-$1" 2> /dev/null || return 0
  for tick in {1..100}; do
    kill -0 -- "-$1" 2> /dev/null || return 0
    sleep 0.1
  done
  log "process group $1 outlived SIGTERM for $((tick / 10)) s: SIGKILL"
  kill -KILL -- "-$1" 2> /dev/null || true
}

# interruptibly COMMAND...: runs it in its own process group, so that a signal to the script is acted on at once; without
# the caller's standard output, whose reader would wait for a program that outlives a killed script
interruptibly() {
  local status=0
  set -m; "$@" 8>&- & interruptible_group=$!; set +m
  wait "$interruptible_group" || status=$?
  interruptible_group=
  return "$status"
}
