/** The observers of a node, by the name that their files begin with. */
export const nodeObservers = {
  'conntrack-tcp': 'conntrack',
  'conntrack-udp': 'conntrack',
  packets: 'tcpdump',
  rules: 'nft',
} as const;
export type NodeObserver = keyof typeof nodeObservers;

/** Of each packet as much as its headers take; in bytes. */
const snapLength = 96;
/** The kernel's buffer for captured packets, in KiB: a capture that is not read for a second loses none. */
const captureBufferKiB = 4096;
/** Ends a capture of which somebody lost control: some 45 MB. */
export const mostPackets = 400_000;
/** Bytes of events that wait for a conntrack that is kept from running. */
const eventBufferBytes = 4_194_304;

/** The line that says that all observers run. */
export const observingLine = 'observing';

/**
 * What the observers write, besides their output: who was missing, with what status each ended, its CPU time, what it
 * complained of, and the kernel's table of netlink sockets with the sockets of each. Programs in a container are sent no
 * signal when their client goes, only the end of their input, so that is what ends them. They are ended by SIGTERM: a
 * shell without job control has its background programs ignore SIGINT.
 *
 * The container runtime writes its log by itself: only where it stood is noted, and what was added about the pod's
 * container is read from there at the end. kube-proxy counts by itself: its counts are taken before and after,
 * last of all, as no other piece is to wait for its answer.
 *
 * Arguments: the folder for the files, the Service's ports for TCP and UDP at the node, the pod's address, the
 * observers' kinds, and the runtime's identifier of the pod's container.
 */
export const observeScript = `
folder=$1 tcp=$2 udp=$3 pod=$4 kinds=$5 container=$6
mkdir -p "$folder" && cd "$folder" || exit 1
sysctl -q -w net.netfilter.nf_conntrack_timestamp=1
cp /proc/sys/kernel/random/boot_id boot-id

is_asked() { case " $kinds " in *" $1 "*) ;; *) return 1 ;; esac; }
start() {
  name=$1 output=$2
  shift 2
  if ! command -v "$1" > /dev/null; then : > "$name.missing"; return; fi
  if [ "$output" = - ]; then "$@" 2> "$name.err" < /dev/null & else "$@" > "$output" 2> "$name.err" < /dev/null & fi
  echo $! > "$name.pid"
}
conntrack_of() {
  start "conntrack-$1" "conntrack-$1.xml" conntrack --event --event-mask NEW,DESTROY --proto "$1" \\
    --orig-port-dst "$2" --output xml,id,ktimestamp --buffer-size ${eventBufferBytes}
}

runtime_log() { journalctl --unit containerd --no-pager --quiet "$@" 2> runtime.err; }
if is_asked runtime; then
  if ! command -v journalctl > /dev/null; then : > runtime.missing
  else cursor=$(runtime_log --lines 0 --show-cursor); cursor=\${cursor#-- cursor: }; fi
fi
proxy_counts() {
  metrics=$(curl -q --noproxy '*' --silent --fail --max-time 1 http://127.0.0.1:10249/metrics) || return
  read -r uptime idle < /proc/uptime
  echo "node_uptime_seconds $uptime" > "kube-proxy-$1.prom"
  printf '%s\\n' "$metrics" | grep '^kubeproxy_' | grep -v _bucket >> "kube-proxy-$1.prom"
}
if is_asked kube-proxy; then
  if command -v curl > /dev/null; then proxy_counts before; else : > kube-proxy.missing; fi
fi
if is_asked conntrack; then conntrack_of tcp "$tcp"; conntrack_of udp "$udp"; fi
if is_asked packets; then
  ends='tcp[tcpflags] & (tcp-fin|tcp-rst) != 0'
  start packets /dev/null tcpdump -i any -n -p -s ${snapLength} -B ${captureBufferKiB} -c ${mostPackets} -U \\
    --time-stamp-precision=nano -w packets.pcap \\
    "($ends and (port $tcp or host $pod)) or icmp[icmptype] == icmp-unreach or (udp and src port $udp)"
fi
if is_asked rules; then start rules - nft --json monitor rules; fi
tries=0
while [ -e packets.pid ] && [ ! -s packets.pcap ] && [ $tries -lt 40 ]; do sleep 0.05; tries=$((tries + 1)); done
# once the monitor runs, so that no change falls between the two
if [ -e rules.pid ]; then sleep 0.1; nft --json list ruleset > ruleset.json 2> /dev/null; fi
echo ${observingLine}

cat > /dev/null
cp /proc/net/netlink netlink
for file in *.pid; do
  [ -e "$file" ] || continue
  read -r pid < "$file" && name=\${file%.pid}
  cat "/proc/$pid/schedstat" > "$name.cpu" 2> /dev/null
  for fd in "/proc/$pid/fd/"*; do readlink "$fd"; done > "$name.sockets" 2> /dev/null
  kill -TERM "$pid" 2> /dev/null
done
for file in *.pid; do
  [ -e "$file" ] || continue
  read -r pid < "$file" && name=\${file%.pid}
  wait "$pid"
  echo $? > "$name.status"
done
if is_asked conntrack; then
  dump_of() { conntrack --dump --proto "$1" --orig-port-dst "$2" --output xml,id,ktimestamp > "dump-$1.xml" 2> /dev/null; }
  dump_of tcp "$tcp"
  dump_of udp "$udp"
fi
if is_asked runtime && [ ! -e runtime.missing ] && [ -n "$container" ]; then
  runtime_log --output cat \${cursor:+--after-cursor "$cursor"} | grep --fixed-strings "$container" > runtime.log
fi
if is_asked kube-proxy && [ ! -e kube-proxy.missing ]; then proxy_counts after; fi
exit 0
`.trim();
