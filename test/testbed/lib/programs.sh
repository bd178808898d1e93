# shellcheck shell=bash
# Running other people's programs: their output goes to a log each, shown only when they fail.
. "${BASH_SOURCE[0]%/*}/settings.sh"
. "${BASH_SOURCE[0]%/*}/interruption.sh"

log_file() { echo "$cache/logs/$1.log"; }

# attempt NAME COMMAND...: runs COMMAND with all its output in the log NAME; its exit code
attempt() { local file; file=$(log_file "$1"); interruptibly "${@:2}" > "$file" 2>&1; }

# logged NAME COMMAND...: the same, but a failure shows the log's end and ends the script
logged() { attempt "$@" || failed "$@"; }

# patiently NAME PATTERN COMMAND...: as logged, but tries three times more when the log matches the extended
# regular expression PATTERN, which describes troubles that pass by themselves
patiently() {
  local name=$1 pattern=$2 pause trouble; shift 2
  for pause in 5 20 60 ''; do
    ! attempt "$name" "$@" || return 0
    trouble=$(grep -E "$pattern" "$(log_file "$name")" | tail -n 1) || true
    if [ -z "$pause" ] || [ -z "$trouble" ]; then break; fi
    log "$name: $trouble; again in $pause s"
    interruptibly sleep "$pause"
  done
  failed "$name" "$@"
}

failed() {
  local file; file=$(log_file "$1"); shift
  last_lines "$file" 15
  fail "this command failed: $(printf '%q ' "$@")" "its whole output: $file"
}
