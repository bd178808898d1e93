FROM scratch
COPY PROGRAM /usr/local/bin/PROGRAM
ENV PATH=/usr/local/bin
ENTRYPOINT ["/usr/local/bin/PROGRAM"]
