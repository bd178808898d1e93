#!/usr/bin/env bash
# Gives the worker of up.sh's cluster an image that this machine's Docker has.
#   load-image.sh IMAGE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
testbed=${TESTBED_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/drainwatch-testbed}
state=${IPVS_STATE:-$testbed/ipvs/run} name=${IPVS_NAME:-ipvs}
image=${1:?the name of an image}
gateway=$(docker network inspect -f '{{range .IPAM.Config}}{{println .Gateway}}{{end}}' "$name" | grep -v : | head -1)
folder=$(mktemp -d)
docker save -o "$folder/image.tar" "$image"
# on the cluster's own network only, and for as long as this takes
python3 -m http.server --bind "$gateway" --directory "$folder" 18080 > /dev/null 2>&1 &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
sleep 1
"$here/guest-run" "$state/shell" \
  "curl -sSf http://$gateway:18080/image.tar | ctr --namespace k8s.io images import --label io.cri-containerd.pinned=pinned -" 600
