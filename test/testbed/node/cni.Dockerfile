FROM scratch
COPY busybox kubectl cni.sh /bin/
RUN ["/bin/busybox","--install","-s","/bin"]
ENV PATH=/bin
ENTRYPOINT ["/bin/sh","/bin/cni.sh"]
