#!/usr/bin/env bash
# Runs the command line with the options of a matrix that the environment holds: `with-matrix.sh plan --json`.
set -euo pipefail
options=(--matrix "$MATRIX")
option() {
  # lists come with commas or line breaks, as the Action takes them
  if [ -n "$2" ]; then options+=("$1" "${2//$'\n'/,}"); fi
}
option --scenarios "$SCENARIOS"
option --proxy-modes "$PROXY_MODES"
option --kubernetes-versions "$KUBERNETES_VERSIONS"
option --repeats "$REPEATS"
exec node "$(dirname "${BASH_SOURCE[0]}")/../../dist/cli.js" "$@" "${options[@]}"
