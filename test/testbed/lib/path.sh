# shellcheck shell=bash
# The built programs where a shell finds them: `drainwatch run --provider kind` looks for kind on PATH.

# put_on_path: links kind and kubectl, each unless another one is on PATH already
put_on_path() {
  local program links=${TESTBED_LINKS:-/usr/local/bin}
  for program in kind kubectl; do
    command -v "$program" > /dev/null && continue
    mkdir -p "$links"
    ln -sf "$bin/$program" "$links/$program"
    log "linked $links/$program"
  done
}
