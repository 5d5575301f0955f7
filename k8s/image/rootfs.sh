#!/bin/sh
# Makes the root directory of the image from this checkout's build, a JRE that jlink makes, and libraries from Debian packages.
#   rootfs.sh DIR [--embedded]      --embedded: with the Kafka broker, the PostgreSQL server and the shell that it needs
# Needs a JDK 25 (JAVA_HOME) and, on Debian, apt-get and dpkg-deb. The result has no shell and no package manager.
set -eu
out=$1
embedded=${2:-}
here=$(CDPATH='' cd -P "$(dirname "$0")" && pwd)
target=$here/../../target
[ -f "$target/quarkus-app/quarkus-run.jar" ] || { echo "build the station first: ./silkroute --version" >&2; exit 2; }
[ ! -e "$out" ] || { echo "$out exists" >&2; exit 2; }

packages="libc6 zlib1g libgcc-s1 libstdc++6 tzdata netbase"
[ -z "$embedded" ] || packages="$packages dash"
debs=$(mktemp -d)
trap 'rm -rf "$debs"' EXIT
mkdir -p "$out"
# shellcheck disable=SC2086 # a list of words
(cd "$debs" && apt-get download -qq -o APT::Sandbox::User=root $packages)
for deb in "$debs"/*.deb; do
    dpkg-deb -x "$deb" "$out"
done
rm -rf "$out/usr/share/doc" "$out/usr/share/lintian" "$out/usr/share/man" "$out/usr/share/locale" "$out"/usr/lib/*/gconv

mkdir -p "$out/etc/ssl/certs" "$out/opt/silkroute" "$out/data" "$out/tmp" "$out/proc" "$out/dev" "$out/sys" "$out/run"
chmod 1777 "$out/tmp"
chown 10001:10001 "$out/data" 2>/dev/null || true
echo 'silkroute:x:10001:10001::/opt/silkroute:/sbin/nologin' >"$out/etc/passwd"
echo 'silkroute:x:10001:' >"$out/etc/group"
cp /etc/ssl/certs/ca-certificates.crt "$out/etc/ssl/certs/"

# Uncompressed: the image's layer is compressed as a whole, which makes it smaller, and classes load in less time
"$JAVA_HOME/bin/jlink" --add-modules \
    java.se,jdk.crypto.ec,jdk.jdwp.agent,jdk.jfr,jdk.localedata,jdk.management,jdk.management.agent,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs \
    --include-locales en --strip-debug --no-header-files --no-man-pages --compress zip-0 --output "$out/opt/jre"
cp -R "$target/quarkus-app" "$out/opt/silkroute/"
# Caches of another JDK and other paths
rm -f "$out/opt/silkroute/quarkus-app"/*.aot "$out/opt/silkroute/quarkus-app/station.args"
cp "$here/java.options" "$out/opt/silkroute/"
if [ -n "$embedded" ]; then
    cp -R "$target/embedded" "$out/opt/silkroute/"
    ln -sf dash "$out/bin/sh"
fi
chmod -R go-w,a+rX "$out/opt" "$out/etc"
# The same bytes from the same input, whenever it is built
find "$out" -exec touch -h -d @0 {} +
