# shellcheck shell=bash
# The kind node image: kind's files on Debian, Kubernetes, and a containerd that already holds the images.
. "${BASH_SOURCE[0]%/*}/images.sh"
. "${BASH_SOURCE[0]%/*}/go-builds.sh"
. "${BASH_SOURCE[0]%/*}/debian.sh"

build_parts() { build_kubernetes; build_companions; build_pause; build_root_file_system; }

# image_key: of all that shapes the image: the versions and the files in node/, in one order whatever the locale
image_key() (
  LC_ALL=C
  { echo "$kubernetes $KIND $ETCD $CONTAINERD $CNI $COREDNS $CRICTL $PAUSE $DEBIAN"; cat "$node_files"/*; } | sha256sum | cut -c1-12
)

# ensure_node_image: node_image exists and was made of the present parts
ensure_node_image() {
  local key former; key=$(image_key)
  [ "$(label_of "$node_image")" != "$key" ] || return 0
  require_space 3 "$cache" 6 "$(docker_root)"
  former=$(docker image inspect --format '{{.Id}}' "$node_image" 2> /dev/null) || true
  log 'building the component images'
  component_images
  logged images-tar docker save -o "$cache/images.tar.new" "${images[@]}"
  mv -f "$cache/images.tar.new" "$cache/images.tar"
  log 'assembling the node image'
  base_image "testbed.local/node-base:$kubernetes"
  import_images "testbed.local/node-base:$kubernetes" "$key"
  rm -rf "$cache/context"
  # a former image that nothing names any more; while a cluster uses it, Docker rightly refuses
  [ "$(docker image inspect --format '{{len .RepoTags}}' "$former" 2> /dev/null)" != 0 ] || docker image rm "$former" > /dev/null 2>&1 || true
}

base_image() {
  local program
  new_context node
  mkdir "$context"/{bin,k8s,cni}
  download "sigs.k8s.io/kind@$KIND"
  cp -r "$(downloaded "sigs.k8s.io/kind@$KIND" Dir)/images/base/files" "$context/files"
  chmod -R u+w "$context/files"
  cp -l "$bin"/{containerd,ctr,containerd-shim-runc-v2,crictl} "$context/bin/"
  cp -l "$kube_bin"/{kubelet,kubeadm,kubectl} "$context/k8s/"
  for program in host-local loopback ptp portmap; do cp -l "$bin/cni-$program" "$context/cni/$program"; done
  cp "$node_files"/default-*.yaml "$context/"
  echo "$kubernetes" > "$context/version"
  cp "$node_files/node.Dockerfile" "$context/Dockerfile"
  build_image "$1"
}

# import_images BASE KEY: containerd keeps the images that it imported: it runs once in a container of BASE, whose
# commit is the node image. The label comes with the commit, so that no image without its images ever has it.
import_images() {
  local container=testbed-import-$kubernetes
  docker rm -fv "$container" > /dev/null 2>&1 || true
  undo_at_exit docker rm -fv "$container"
  logged import-create docker create --pull never --name "$container" --privileged --entrypoint sleep "$1" infinity
  logged import-start docker start "$container"
  logged import docker exec -i "$container" sh -euc "$(cat "$node_files/import-images.sh")" - "${images[@]}" < "$cache/images.tar"
  logged import-commit docker commit --change 'ENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]' --change 'CMD []' \
    --change "LABEL testbed.key=$2" "$container" "$node_image"
}
