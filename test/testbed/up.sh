#!/usr/bin/env bash
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" > /dev/null && pwd)
. "$here/lib/requirements.sh"
. "$here/lib/lock.sh"
. "$here/lib/docker.sh"
. "$here/lib/egress.sh"
. "$here/lib/kernel-limits.sh"
. "$here/lib/node-image.sh"
. "$here/lib/path.sh"

usage() {
  cat <<'USAGE'
usage: up.sh

Makes this machine able to run kind clusters with no image registry: installs packages of Debian, starts Docker when none
answers, and builds kind, Kubernetes and a node image from Go modules. About 25 minutes on 2 busy cores the first time,
then seconds. Safe to run again, and twice at once. Needs root, Go 1.24 or newer, and about 16 GB.

Standard output is two lines, each a value up to its end:
  TESTBED_BIN=FOLDER         holds kind and kubectl
  TESTBED_NODE_IMAGE=IMAGE   for kind create cluster --image

Environment:
  TESTBED_KUBERNETES   a release of Kubernetes, v1.34.0 unless set; another one is built beside it
  TESTBED_CACHE        keeps all parts, ~/.cache/drainwatch-testbed unless set
  TESTBED_LINKS        gets links to kind and kubectl where PATH has none, /usr/local/bin unless set
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
install_packages
ensure_docker
keep_traffic_here
raise_kernel_limits
build_parts
ensure_node_image
put_on_path
log "ready: $node_image"
answer "TESTBED_BIN=$bin"
answer "TESTBED_NODE_IMAGE=$node_image"
