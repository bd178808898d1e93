#!/usr/bin/env bash
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" > /dev/null && pwd)
. "$here/lib/requirements.sh"
. "$here/lib/lock.sh"
. "$here/lib/docker.sh"
. "$here/lib/node-image.sh"

usage() {
  cat <<'USAGE'
usage: build.sh

Builds the kind node image as up.sh does and prints its name, but neither installs anything nor starts Docker.
TESTBED_KUBERNETES and TESTBED_CACHE are as for up.sh.
USAGE
}

case ${1:-} in
  -h | --help) usage; exit ;;
  ?*) usage >&2; fail "takes no argument, found '$1'" ;;
esac

keep_stdout
choose_settings
require_root
require_go
leave_cleanly
take_lock "$cache/lock"
docker_answers || fail 'Docker should answer, found that it does not' "$here/up.sh starts it"
build_parts
ensure_node_image
answer "$node_image"
