# shellcheck shell=bash disable=SC2034 # read by the files that source this one
# What the caller may choose, and the versions of all parts.
. "${BASH_SOURCE[0]%/*}/log.sh"

default_kubernetes=v1.34.0
KIND=v0.33.0 ETCD=v3.6.4 CONTAINERD=v2.1.3 CNI=v1.7.1 COREDNS=v1.12.1 CRICTL=v1.34.0 PAUSE=3.10 DEBIAN=bookworm
testbed=$(cd "${BASH_SOURCE[0]%/*}/.." > /dev/null && pwd)
node_files=$testbed/node

# choose_settings: sets kubernetes, node_image, and the folders cache, bin and kube_bin; refuses a version that is none
choose_settings() {
  kubernetes=${TESTBED_KUBERNETES:-$default_kubernetes}
  [[ $kubernetes =~ ^v1\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$ ]] ||
    fail "TESTBED_KUBERNETES must name a release of Kubernetes like $default_kubernetes, found '$kubernetes'" \
      "for example: TESTBED_KUBERNETES=$default_kubernetes, or leave it unset"
  cache=$(realpath -m -- "${TESTBED_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/drainwatch-testbed}")
  bin=$cache/bin kube_bin=$cache/bin
  [ "$kubernetes" = "$default_kubernetes" ] || kube_bin=$cache/bin-$kubernetes
  node_image=testbed.local/node:$kubernetes
  mkdir -p "$bin" "$kube_bin" "$cache/logs"
}
