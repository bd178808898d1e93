# shellcheck shell=bash
# Kubernetes and its companions, built from the Go modules that their projects publish.
. "${BASH_SOURCE[0]%/*}/settings.sh"
. "${BASH_SOURCE[0]%/*}/programs.sh"
. "${BASH_SOURCE[0]%/*}/products.sh"
. "${BASH_SOURCE[0]%/*}/requirements.sh"
. "${BASH_SOURCE[0]%/*}/docker.sh"

network_trouble='dial tcp|i/o timeout|connection re(set|fused)|TLS handshake|unexpected EOF|no such host|stream error|50[0-9] |too many requests|Client\.Timeout|server misbehaving'
declare -A fresh_modules=()

# go_program MODULE REQUIREMENT PACKAGE FILE [LDFLAGS] [TAGS]: builds PACKAGE of REQUIREMENT (path@version) to FILE, in a
# scratch module called MODULE
go_program() {
  local module=$1 requirement=$2 package=$3 file=$4 ldflags=${5:-} tags=${6:-}
  local from="$requirement $package $ldflags $tags" directory=$cache/go/$1
  ! is_built "$file" "$from" || return 0
  [ ${#fresh_modules[@]} -gt 0 ] || require_space 3 "$cache" 6 "$(docker_root)" 5 "$(go env GOCACHE)" 2 "$(go env GOMODCACHE)"
  [ -n "${fresh_modules[$module]:-}" ] || fresh_module "$module" "$requirement"
  fresh_modules[$module]=yes
  log "building ${file##*/}"
  patiently "go-${file##*/}" "$network_trouble" env CGO_ENABLED=0 \
    go build -C "$directory" -mod=mod -trimpath -tags "$tags" -ldflags "-s -w $ldflags" -o "$file.new" "$package"
  keep_product "$file" "$from"
}

# fresh_module MODULE REQUIREMENT: without the requirements that an earlier version or a killed run left in it
fresh_module() {
  local directory=$cache/go/$1
  rm -rf "$directory"; mkdir -p "$directory"
  printf 'module testbed\n\ngo 1.24.0\n' > "$directory/go.mod"
  go mod edit -require="$2" "$directory/go.mod"
  case $1 in
    kubernetes-*) add_staging_modules "$2" "$directory/go.mod" ;;
    coredns) cp "$node_files/coredns.go" "$directory/main.go" ;;
  esac
}

# A module's zip leaves its staging modules out; the same code is published under v0.*
add_staging_modules() {
  local go_mod module edits=()
  download "$1"
  go_mod=$(downloaded "$1" GoMod)
  while read -r module; do edits+=("-replace=$module=$module@v0.${1##*@v1.}"); done < <(awk '/=> \.\/staging\//{print $1}' "$go_mod")
  [ ${#edits[@]} -gt 0 ] || fail "$1 should list its staging modules in its go.mod, found none" "read $go_mod: is it a newer layout?"
  go mod edit "${edits[@]}" "$2"
}

download() { patiently go-download "$network_trouble" go mod download -json "$1"; }

# downloaded REQUIREMENT FIELD: where a downloaded module's folder (Dir) or go.mod (GoMod) is
downloaded() { go mod download -json "$1" | jq -er ".$2"; }

build_kubernetes() {
  local v=k8s.io/component-base/version g=k8s.io/client-go/pkg/version minor=${kubernetes#v1.} program
  local flags="-X $v.gitVersion=$kubernetes -X $v.gitMajor=1 -X $v.gitMinor=${minor%%.*} -X $v.gitTreeState=clean -X $g.gitVersion=$kubernetes"
  for program in kube-apiserver kube-controller-manager kube-scheduler kube-proxy kubelet kubeadm kubectl; do
    go_program "kubernetes-$kubernetes" "k8s.io/kubernetes@$kubernetes" "k8s.io/kubernetes/cmd/$program" "$kube_bin/$program" "$flags"
  done
}

build_companions() {
  local c=github.com/containerd/containerd/v2 plugins=github.com/containernetworking/plugins program
  go_program kind "sigs.k8s.io/kind@$KIND" sigs.k8s.io/kind "$bin/kind"
  go_program etcd "go.etcd.io/etcd/server/v3@$ETCD" go.etcd.io/etcd/server/v3 "$bin/etcd"
  for program in containerd ctr containerd-shim-runc-v2; do
    go_program containerd "$c@$CONTAINERD" "$c/cmd/$program" "$bin/$program" "-X $c/version.Version=$CONTAINERD" 'no_btrfs no_devmapper no_zfs no_aufs'
  done
  for program in ipam/host-local main/loopback main/ptp meta/portmap; do
    go_program cni "$plugins@$CNI" "$plugins/plugins/$program" "$bin/cni-${program##*/}"
  done
  go_program coredns "github.com/coredns/coredns@$COREDNS" . "$bin/coredns"
  go_program crictl "sigs.k8s.io/cri-tools@$CRICTL" sigs.k8s.io/cri-tools/cmd/crictl "$bin/crictl"
}
