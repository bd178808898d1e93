#!/usr/bin/env bash
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" > /dev/null && pwd)
. "$here/lib/requirements.sh"
. "$here/lib/lock.sh"
. "$here/lib/docker.sh"

usage() {
  cat <<'USAGE'
usage: down.sh [--force]

Stops Docker if up.sh started it, and says so; any other Docker is left alone. All parts and images are kept: the next
up.sh takes seconds. Refuses while containers run, unless --force: they end with Docker.
TESTBED_CACHE is as for up.sh.
USAGE
}

force=
case ${1:-} in
  -h | --help) usage; exit ;;
  --force) force=yes ;;
  ?*) usage >&2; fail "takes no argument but --force, found '$1'" ;;
esac

keep_stdout
choose_settings
require_root
leave_cleanly
take_lock "$cache/lock"
stop_docker "$force"
