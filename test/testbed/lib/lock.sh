# shellcheck shell=bash
# One run at a time builds parts or starts and stops Docker. The lock is file descriptor 9, so it ends with the
# process that holds it, however that ends; a program that stays (a daemon) must not inherit it.
. "${BASH_SOURCE[0]%/*}/processes.sh"

# take_lock FILE: waits for the lock and keeps it until the script ends; FILE then holds this process's id
take_lock() {
  local holder until=$SECONDS
  exec 9>> "$1"
  until flock --nonblock 9; do
    if [ "$SECONDS" -ge "$until" ]; then
      holder=$(cat "$1")
      if runs "${holder:-0}"; then
        log "waiting for another run of the testbed to end (process $holder holds $1)"
      else
        log "waiting for what a killed run (process ${holder:-unknown}) left behind, which holds $1; to see it: fuser -v $1"
      fi
      until=$((SECONDS + 60))
    fi
    flock --timeout 2 9 && break
  done
  echo $$ > "$1"
}
