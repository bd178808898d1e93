#!/bin/bash
# Stands in, under their names, for the programs through which the testbed's scripts act on the machine. It notes its arguments
# in $STUB_STATE/calls, and chatters on standard output wherever the real program might.
# STUB_HANG is a part of the call that never ends.
name=${0##*/} call="${0##*/} $*"

note() { echo "$call" >> "$STUB_STATE/calls"; echo "$name says a thing on standard output"; }
hang() {
  [[ $call == *"${STUB_HANG:-nothing}"* ]] || return 0
  echo $$ > "$STUB_STATE/hanging"
  exec /bin/sleep 600
}
# the first build of kubelet ends with the words in STUB_TROUBLE
fail_first() {
  [[ -n ${STUB_TROUBLE:-} && $call == *kubelet* && ! -e $STUB_STATE/trouble-over ]] || return 0
  touch "$STUB_STATE/trouble-over"
  echo "$STUB_TROUBLE" >&2
  exit 1
}
write_output() {
  while [ "$1" != -o ]; do shift; done
  echo half > "$2"
  hang
  cat > "$2" <<'PROGRAM'
#!/bin/sh
for i in kube-apiserver kube-controller-manager kube-scheduler kube-proxy coredns etcd pause; do echo "example.test/$i:v1"; done
PROGRAM
  chmod +x "$2"
}

case $call in
  'id -u') echo "${STUB_UID:-0}" ;;
  'id -un') echo nobody ;;
  dpkg-query*) echo 'install ok installed' ;;
  df*) printf 'Avail Mounted on\n%s /\n' "${STUB_FREE:-100}" ;;
  sleep*) note > /dev/null; exec /bin/sleep 0.05 ;;
  'sysctl -n'*) echo "${STUB_LIMIT:-1000000}" ;;
  'sysctl -q'*) note; [ -z "${STUB_LIMIT_FIXED:-}" ] ;;
  gcc*) note; write_output "$@" ;;
  unshare*) note; hang; mkdir -p "$6/etc"; echo stub > "$6/etc/debian_version" ;;

  'go env GOVERSION') echo "${STUB_GO:-go1.26.0}" ;;
  'go env'*) echo "$STUB_STATE" ;;
  'go mod download'*)
    mkdir -p "$STUB_STATE/module/images/base/files"
    printf 'replace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n)\n' > "$STUB_STATE/go.mod"
    printf '{"Dir": "%s", "GoMod": "%s"}\n' "$STUB_STATE/module" "$STUB_STATE/go.mod" ;;
  'go build'*) note; fail_first; write_output "$@" ;;

  'docker version'*) [[ -z ${STUB_DOCKER_ABSENT:-} || -e $STUB_STATE/docker-answers ]] ;;
  'docker info'*) echo / ;;
  'docker ps'*) [ -z "${STUB_CONTAINERS:-}" ] || echo 0123456789ab ;;
  'docker image inspect'*testbed.key*) cat "$STUB_STATE/label" ;;
  'docker image inspect'*) exit 1 ;;
  'docker save'*) note; echo archive > "$3" ;;
  'docker exec'*) note; cat > "$STUB_STATE/imported"; hang ;;
  'docker commit'*) note; [[ $call =~ testbed.key=([0-9a-f]+) ]]; echo "${BASH_REMATCH[1]}" > "$STUB_STATE/label" ;;

  dockerd*)
    note
    if [ -n "${STUB_DOCKERD_DIES:-}" ]; then echo "$STUB_DOCKERD_DIES" >&2; exit 1; fi
    touch "$STUB_STATE/docker-answers"
    trap 'rm "$STUB_STATE/docker-answers"; exit' TERM
    while :; do /bin/sleep 0.1; done ;;
  *) note ;;
esac
