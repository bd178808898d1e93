# shellcheck shell=bash
# Docker: found running, or started here; what it leaves behind when it is killed; and how it is stopped again.
. "${BASH_SOURCE[0]%/*}/settings.sh"
. "${BASH_SOURCE[0]%/*}/processes.sh"
. "${BASH_SOURCE[0]%/*}/interruption.sh"

run_folder=${TESTBED_RUN_FOLDER:-/var/run} # another one only in tests
started_file() { echo "$cache/docker/started"; }
dockerd_log() { echo "$cache/docker/dockerd.log"; }

docker_answers() { timeout 10 docker version --format '{{.Server.Version}}' > /dev/null 2>&1; }
docker_root() { docker info --format '{{.DockerRootDir}}'; }

# ensure_docker: Docker answers from here on, or the script ends
ensure_docker() {
  local pid
  if docker_answers; then warn_of_niceness; return; fi
  [ -z "${DOCKER_HOST:-}" ] || fail "Docker should answer at DOCKER_HOST, found no answer from $DOCKER_HOST" 'start it, or unset DOCKER_HOST'
  remove_docker_leftovers
  if [ -e "$run_folder/docker.pid" ] && pid=$(pid_in "$run_folder/docker.pid" dockerd); then
    log "waiting for Docker (process $pid runs, but does not answer yet)"
    wait_for_docker "$pid" || fail "Docker should answer within 60 s, found process $pid silent" \
      "see what it says, or stop it (kill $pid) and run again; its socket should be $run_folder/docker.sock"
    return
  fi
  start_docker
}

# remove_docker_leftovers: dockerd refuses to start beside a pid file whose id is in use, whoever has it now, and waits
# in vain for a containerd of which only a pid file or a socket is left
remove_docker_leftovers() {
  remove_stale_pid_file "$run_folder/docker.pid" dockerd
  remove_stale_pid_file "$run_folder/docker/containerd/containerd.pid" containerd
  remove_stale_socket "$run_folder/docker/containerd/containerd.sock"
  remove_stale_socket "$run_folder/containerd/containerd.sock"
  remove_stale_socket "$run_folder/docker.sock"
}

start_docker() {
  local pid niceness remedies runtime=$cache/docker/runc-available-caps
  log 'starting Docker'
  mkdir -p "$cache/docker"
  # Docker outlives this script, perhaps also the folder that this script is in
  install -m 755 "$testbed/runc-available-caps" "$runtime"
  # every pod inherits Docker's niceness, which must not bend what is measured
  niceness=$(nice)
  without_inherited_files setsid nice -n "-$niceness" dockerd --add-runtime "available-caps=$runtime" --default-runtime available-caps \
    < /dev/null > "$(dockerd_log)" 2>&1 &
  pid=$!
  identity "$pid" > "$(started_file)" || true
  wait_for_docker "$pid" && return
  last_lines "$(dockerd_log)" 15
  mapfile -t remedies < <(docker_remedy)
  if runs "$pid"; then
    kill "$pid"
    fail 'Docker should answer within 60 s of its start, found it silent and stopped it' "${remedies[@]}"
  fi
  fail 'Docker should have started, found that dockerd ended' "${remedies[@]}"
}

# wait_for_docker PID: until Docker answers, process PID ends (status 1), or 60 s are over (status 1)
wait_for_docker() {
  local until=$((SECONDS + 60))
  until docker_answers; do
    runs "$1" && [ "$SECONDS" -lt "$until" ] || return 1
    interruptibly sleep 0.5
  done
}

# without_inherited_files COMMAND...: a daemon must keep neither the lock nor the caller's pipes open
without_inherited_files() {
  local file
  for file in "/proc/$BASHPID"/fd/*; do
    [ "${file##*/}" -le 2 ] || eval "exec ${file##*/}>&-"
  done
  exec "$@"
}

# docker_remedy: what dockerd's log suggests, a remedy a line
docker_remedy() {
  case $(tail -n 15 "$(dockerd_log)") in
    *'no space left'*) echo "free some space where Docker keeps its data (df -h /var/lib/docker)" ;;
    *'pid file found'* | *'is still running'*) echo "another dockerd runs or is starting: wait for it, or stop it and run again" ;;
    *iptables*) echo 'let root set firewall rules: in a container, run it with --privileged or --cap-add NET_ADMIN' ;;
    *'ermission denied'* | *'not permitted'*) echo 'Docker needs a root with SYS_ADMIN and NET_ADMIN: in a container, run it with --privileged' ;;
    *containerd*) echo "stop what is left of containerd (pgrep -a containerd), then run again" ;;
  esac
  echo "its whole log: $(dockerd_log)"
}

warn_of_niceness() {
  local pid niceness
  [ -e "$run_folder/docker.pid" ] && pid=$(pid_in "$run_folder/docker.pid" dockerd) && niceness=$(stat_field "$pid" 19) || return 0
  [ "$niceness" -le 0 ] || log "warning: Docker (process $pid) runs with niceness $niceness and so does every pod: times measured on a busy machine will suffer; restart it"
}

# stop_docker FORCE: stops the Docker that start_docker started, by the identity that it noted; FORCE is empty or not
stop_docker() {
  local pid noted containers
  if ! noted=$(cat "$(started_file)" 2> /dev/null); then
    log 'up.sh started no Docker here: nothing to stop'
    return
  fi
  pid=${noted%% *}
  if ! runs "$pid" || [ "$(identity "$pid")" != "$noted" ]; then
    log "the Docker that up.sh started (process $pid) has already ended: nothing to stop"
    rm -f "$(started_file)"
    return
  fi
  containers=$(docker ps --quiet | wc -l)
  [ "$containers" -eq 0 ] || [ -n "$1" ] || fail "no container should run when Docker stops, found $containers" \
    'delete the clusters (kind delete clusters --all), or end all containers with: down.sh --force'
  log "stopping Docker (process $pid)"
  kill "$pid"
  local until=$((SECONDS + 60))
  while runs "$pid"; do
    [ "$SECONDS" -lt "$until" ] || fail "Docker should end within 60 s of SIGTERM, found process $pid still running" "its log: $(dockerd_log)"
    interruptibly sleep 0.2
  done
  rm -f "$(started_file)"
  log 'Docker has stopped; all parts and images are kept'
}
