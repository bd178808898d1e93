FROM testbed.local/debian:bookworm
COPY files/usr/local/bin/ /usr/local/bin/
COPY files/kind/ /kind/
COPY files/etc/ /etc/
COPY bin/ /usr/local/bin/
COPY k8s/ /usr/bin/
COPY cni/ /opt/cni/bin/
COPY version /kind/version
COPY default-cni.yaml default-storage.yaml /kind/manifests/
RUN chmod 755 /kind/bin /kind/bin/* /usr/local/bin/* \
 && sed -i 's/restrict_oom_score_adj = false/restrict_oom_score_adj = true/' /etc/containerd/config.toml \
 && find /lib/systemd/system/sysinit.target.wants/ -name systemd-tmpfiles-setup.service -delete \
 && rm -f /lib/systemd/system/multi-user.target.wants/* /etc/systemd/system/*.wants/* /lib/systemd/system/local-fs.target.wants/* \
    /lib/systemd/system/sockets.target.wants/*udev* /lib/systemd/system/sockets.target.wants/*initctl* /lib/systemd/system/basic.target.wants/* \
 && echo ReadKMsg=no >> /etc/systemd/journald.conf && ln -sf "$(command -v systemd)" /sbin/init \
 && systemctl enable kubelet.service containerd.service undo-mount-hacks.service && systemctl mask systemd-binfmt.service \
 && mkdir -p /etc/kubernetes/manifests /etc/kubernetes/kubelet.conf.d \
 && printf 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nfailCgroupV1: false\n' > /etc/kubernetes/kubelet.conf.d/10-cgroup-v1.conf \
 && sed -i 's|^KUBELET_EXTRA_ARGS=|&--config-dir=/etc/kubernetes/kubelet.conf.d |' /etc/default/kubelet \
 && ctr oci spec | jq '.hooks.createContainer[.hooks.createContainer|length] |= . + {"path": "/kind/bin/mount-product-files.sh"}' | jq 'del(.process.rlimits)' > /etc/containerd/cri-base.json
ENV container=docker
STOPSIGNAL SIGRTMIN+3
ENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]
