#!/bin/sh
# Builds the image as an OCI archive, without a daemon and reproducibly. Needs umoci (Debian: apt install umoci) besides what rootfs.sh needs.
#   build.sh [--embedded] ARCHIVE       then: podman load -i ARCHIVE, or skopeo copy oci-archive:ARCHIVE docker://REGISTRY/silkroute:TAG
set -eu
embedded=
if [ "${1:-}" = --embedded ]; then
    embedded=--embedded
    shift
fi
archive=$1
here=$(CDPATH='' cd -P "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/rootfs.sh" "$work/root" $embedded
epoch=1970-01-01T00:00:00Z
image=$work/layout:silkroute
umoci init --layout "$work/layout"
umoci new --image "$image"
umoci insert --image "$image" --history.created $epoch "$work/root" /
umoci config --image "$image" --created $epoch --history.created $epoch \
    --config.user 10001:10001 --config.workingdir /opt/silkroute --config.stopsignal SIGTERM \
    --config.env PATH=/opt/jre/bin:/bin:/usr/bin \
    --config.entrypoint /opt/jre/bin/java --config.entrypoint @/opt/silkroute/java.options \
    --config.entrypoint -jar --config.entrypoint /opt/silkroute/quarkus-app/quarkus-run.jar --config.cmd run \
    --config.exposedports 11019/tcp --config.exposedports 8080/tcp --config.exposedports 9000/tcp
umoci gc --layout "$work/layout"
tar -C "$work/layout" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf "$archive" .
