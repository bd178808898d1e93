# shellcheck shell=bash
# What the machine must have, and what is installed when it has not.
. "${BASH_SOURCE[0]%/*}/programs.sh"

require_root() {
  [ "$(id -u)" -eq 0 ] || fail "must run as root (it starts Docker and bootstraps a root file system), found user $(id -un)" \
    "sudo --preserve-env=HOME,PATH,TESTBED_CACHE,TESTBED_KUBERNETES env PATH=\"\$PATH\" $0"
}

require_go() {
  local remedy='install Go 1.24 or newer and put its go command on PATH' version minor
  export PATH=$PATH:/usr/local/go/bin GOWORK=off
  command -v go > /dev/null || fail 'needs Go 1.24 or newer, found no go command on PATH or in /usr/local/go/bin' "$remedy"
  version=$(go env GOVERSION) minor=${version#go1.}
  [[ ${minor%%[!0-9]*} -ge 24 ]] || fail "needs Go 1.24 or newer, found $version ($(command -v go))" "$remedy"
}

# install_packages: from Debian's or Ubuntu's package lists, only what is missing
install_packages() {
  local wanted=(busybox-static conntrack debian-archive-keyring debootstrap gcc iptables jq libc6-dev libcap2-bin tcpdump) package missing=()
  # a machine may have Docker from elsewhere, whose packages exclude Debian's
  command -v dockerd > /dev/null || wanted+=(docker.io)
  command -v dpkg apt-get > /dev/null || fail 'needs a Debian or Ubuntu machine (dpkg and apt-get), found neither' \
    'run it on one, or in a privileged container of one'
  for package in "${wanted[@]}"; do
    [[ $(dpkg-query -W -f '${Status}' "$package" 2> /dev/null) == *' installed' ]] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  log "installing ${missing[*]}"
  local busy='Could not get lock|Unable to acquire|Temporary failure|Failed to fetch|Connection (timed out|failed)' patient=(-o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  export DEBIAN_FRONTEND=noninteractive
  # a package may start a daemon, which must not keep the lock
  patiently apt-update "$busy" apt-get update -qq "${patient[@]}" 9>&-
  patiently apt-install "$busy" apt-get install -y -qq --no-install-recommends "${patient[@]}" "${missing[@]}" 9>&-
}

# require_space [GB FOLDER]...: every file system has room for what its folders will get, together
require_space() {
  local -A needed=() free=() folders=()
  local gb folder mount available
  while [ $# -gt 0 ]; do
    gb=$1 folder=$2; shift 2
    until [ -d "$folder" ]; do folder=$(dirname "$folder"); done
    { read -r _; read -r available mount; } < <(df --block-size=1G --output=avail,target "$folder")
    needed[$mount]=$((${needed[$mount]:-0} + gb)) free[$mount]=$available folders[$mount]+=" $folder"
  done
  for mount in "${!needed[@]}"; do
    [ "${free[$mount]}" -ge "${needed[$mount]}" ] ||
      fail "needs ${needed[$mount]} GB free on $mount (for${folders[$mount]}), found ${free[$mount]} GB" \
        'free some, or set TESTBED_CACHE, GOCACHE, GOMODCACHE to folders on a larger disk'
  done
}
