# shellcheck shell=bash
# Container images of one version of Kubernetes, under the names by which its kubeadm asks for them.
. "${BASH_SOURCE[0]%/*}/settings.sh"
. "${BASH_SOURCE[0]%/*}/programs.sh"

# Docker's own builder: it takes local images as bases whatever builder is configured
export DOCKER_BUILDKIT=0

# new_context NAME: an empty build folder, in context
new_context() { context=$cache/context/$1; rm -rf "$context"; mkdir -p "$context"; }

# build_image IMAGE: from context, which holds a Dockerfile
build_image() {
  logged "image-${context##*/}" docker build --quiet --force-rm -t "$1" "$context"
}

# program_image IMAGE FILE: an image that holds one static program
program_image() {
  local program=${2##*/}
  new_context "$program"
  cp -l "$2" "$context/"
  sed "s/PROGRAM/$program/g" "$node_files/program.Dockerfile" > "$context/Dockerfile"
  build_image "$1"
}

proxy_image() {
  new_context kube-proxy
  cp -l "$kube_bin/kube-proxy" "$context/"
  cp "$node_files/kube-proxy.Dockerfile" "$context/Dockerfile"
  build_image "$1"
}

# the pod network's image holds no program of its own: a shell script, and kubectl
network_image() {
  new_context cni
  cp -l "$kube_bin/kubectl" "$context/"
  cp "$(command -v busybox)" "$node_files/cni.sh" "$context/"
  cp "$node_files/cni.Dockerfile" "$context/Dockerfile"
  build_image "$1"
}

# debian_image IMAGE: imported only when it changed, for what is built on it is built again after every import
debian_image() {
  local sum; sum=$(sha256sum < "$cache/rootfs.tar" | cut -c1-12)
  [ "$(label_of "$1")" != "$sum" ] || return 0
  logged image-debian docker import --change "LABEL testbed.key=$sum" "$cache/rootfs.tar" "$1"
}

# label_of IMAGE: what the image was made of, or nothing
label_of() { docker image inspect --format '{{index .Config.Labels "testbed.key"}}' "$1" 2> /dev/null || true; }

# name_of PROGRAM: the image that kubeadm wants for it
name_of() { grep "/$1:" <<< "$kubeadm_names" || fail "kubeadm $kubernetes should name an image for $1, found: $kubeadm_names"; }

# component_images: builds them all and sets images to their names
component_images() {
  local name program registry network=testbed.local/cni:v1
  kubeadm_names=$("$kube_bin/kubeadm" config images list --kubernetes-version "$kubernetes")
  images=()
  for program in kube-apiserver kube-controller-manager kube-scheduler; do
    name=$(name_of "$program"); images+=("$name")
    program_image "$name" "$kube_bin/$program"
  done
  for program in etcd coredns; do
    name=$(name_of "$program"); images+=("$name")
    program_image "$name" "$bin/$program"
  done
  # containerd, not kubeadm, chooses the version of pause
  name=$(name_of pause); registry=${name%/*}; images+=("$registry/pause:$PAUSE")
  program_image "$registry/pause:$PAUSE" "$bin/pause"
  debian_image "testbed.local/debian:$DEBIAN"
  name=$(name_of kube-proxy); images+=("$name" "$network")
  proxy_image "$name"
  network_image "$network"
}
