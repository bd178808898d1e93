# shellcheck shell=bash
# What the clusters send stays on this machine, also before kube-proxy's first sync.
. "${BASH_SOURCE[0]%/*}/log.sh"

keep_traffic_here() {
  local rule=(DOCKER-USER -i br-+ ! -o br-+ -j REJECT)
  ! iptables -w 30 -C "${rule[@]}" 2> /dev/null || return 0
  iptables -w 30 -I "${rule[@]}" 2> /dev/null || fail 'the firewall should take a rule in its chain DOCKER-USER, found that it does not' \
    'run Docker with its own firewall rules ("iptables": true) and root with NET_ADMIN; to see why: iptables -S DOCKER-USER'
}
