#!/usr/bin/env bash
# Prints the manifest that installs Cilium on nodes of the image that build.sh makes: its resource definitions and the agent,
# with ${API_SERVER_HOST} and ${API_SERVER_PORT} left to whoever applies it (server-side: some definitions are large).
#   manifest.sh [IMAGE] > FILE    IMAGE is a node image that build.sh made (default: builds it where it must)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${CILIUM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/drainwatch-testbed/cilium}
image=${1:-$("$here/build.sh")}
cat "$cache/crds.yaml"
echo ---
sed "s|image: IMAGE|image: testbed.local/cilium:${image##*-}|" "$here/manifests/cilium.yaml"
