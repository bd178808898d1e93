# Runs in a container of the node image's base: imports the archive on its standard input into containerd's store, so that
# no node ever pulls an image. Its arguments are the images that must be there afterwards.
containerd > /dev/null 2>&1 &
daemon=$!
tries=0
until ctr version > /dev/null 2>&1; do
  tries=$((tries + 1))
  if [ $tries -gt 300 ] || ! kill -0 $daemon; then echo 'containerd did not start' >&2; exit 1; fi
  sleep 0.2
done
ctr --namespace k8s.io images import --label io.cri-containerd.pinned=pinned --no-unpack -
ctr --namespace k8s.io images ls -q > /tmp/imported
for image; do grep -qxF "$image" /tmp/imported || { echo "not imported: $image" >&2; exit 1; }; done
rm /tmp/imported
kill $daemon
wait $daemon || true
sync
