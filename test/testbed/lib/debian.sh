# shellcheck shell=bash
# What is not Go: the root file system from Debian's packages, and the program that holds a pod's namespaces.
. "${BASH_SOURCE[0]%/*}/settings.sh"
. "${BASH_SOURCE[0]%/*}/programs.sh"
. "${BASH_SOURCE[0]%/*}/products.sh"
. "${BASH_SOURCE[0]%/*}/requirements.sh"

build_pause() {
  local from; from=$(sha256sum < "$node_files/pause.c")
  ! is_built "$bin/pause" "$from" || return 0
  log 'building pause'
  logged gcc-pause gcc -Os -static -s -o "$bin/pause.new" "$node_files/pause.c"
  keep_product "$bin/pause" "$from"
}

build_root_file_system() {
  local tree=$cache/rootfs packages from
  packages=$(paste -sd, "$node_files/debian-packages") from="$DEBIAN $packages"
  ! is_built "$cache/rootfs.tar" "$from" || return 0
  require_space 2 "$cache"
  log 'bootstrapping the root file system'
  rm -rf "$tree"; mkdir -p "$tree"
  # In a mount namespace of its own, so that a killed run leaves nothing mounted in the tree that the next one
  # removes; at /mnt, because debootstrap takes no path with a space.
  # shellcheck disable=SC2016 # expanded by the inner shell
  logged debootstrap unshare --mount sh -ec 'mount --bind "$1" /mnt && exec debootstrap --variant=minbase --include="$2" "$3" /mnt' \
    - "$tree" "$packages" "$DEBIAN"
  rm -rf "$tree"/var/cache/apt/* "$tree"/var/lib/apt/lists/* "$tree"/usr/share/{doc,man,locale}/*
  logged rootfs-tar tar -C "$tree" -cf "$cache/rootfs.tar.new" .
  keep_product "$cache/rootfs.tar" "$from"
  rm -rf "$tree"
}
