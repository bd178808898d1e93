# shellcheck shell=bash
# What a run says: progress and errors on stderr, the output of the programs it calls in a log each.

# log TEXT...: a line of progress, with the seconds since the script began
log() { echo "testbed: $SECONDS s: $*" >&2; }

# fail WHAT [REMEDY...]: ends the script; WHAT says what should be true and what was found, each REMEDY what to do
fail() {
  log "error: $1"; shift
  local line; for line; do echo "testbed:   $line" >&2; done
  exit 1
}

# last_lines FILE COUNT: the end of a log on stderr, set off from the script's own lines
last_lines() { tail -n "$2" "$1" 2> /dev/null | sed 's/^/testbed:   | /' >&2 || true; }

# keep_stdout: from here on standard output belongs to `answer`, whatever the programs that are called print
keep_stdout() { exec 8>&1 1>&2 < /dev/null; }
answer() { echo "$*" >&8; }
