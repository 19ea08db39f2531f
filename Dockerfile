# An image of the executable, the C library, the authorities that are trusted and nothing else; no shell.
#   npm run release -- linux-amd64 --no-archive && docker build --tag tshelm .
# `linux-arm64` for arm64; TARGETARCH is set by docker, podman and buildah.
FROM debian:bookworm-slim AS files
ARG TARGETARCH
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
COPY --chmod=755 release/linux-${TARGETARCH}/tshelm /image/usr/local/bin/tshelm
RUN mkdir -m 1777 /image/tmp /image/work && mkdir -p /image/etc \
  && ldd /image/usr/local/bin/tshelm | grep -o '/[^ ]*' | xargs cp --parents --dereference --target-directory=/image \
  && cp --parents --dereference /etc/ssl/certs/ca-certificates.crt /image \
  && echo 'nonroot:x:65532:65532::/tmp:/' >/image/etc/passwd && echo 'nonroot:x:65532:' >/image/etc/group

FROM scratch
COPY --from=files /image /
ENV HOME=/tmp
WORKDIR /work
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/tshelm"]
