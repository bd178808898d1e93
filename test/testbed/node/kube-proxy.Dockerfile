FROM testbed.local/debian:bookworm
COPY kube-proxy /usr/local/bin/
