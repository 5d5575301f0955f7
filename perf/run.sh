#!/bin/sh
# Builds the station and perf/, runs one scenario, prints its table, and writes results/NAME.json and results/NAME.md.
#   perf/run.sh decode             perf/run.sh framing --help             perf/run.sh all
# Environment: JAVA_HOME; SILKROUTE_BUILD=never (use the existing build); PERF_JAVA_OPTS (further options of the measured JVM)
set -u

jdk_version=25
scenarios="backtest chaos churn current-state decode end-to-end fire-and-forget framing history hostile http incidents insight large-table layout live \
load-accepted low-volume many-sessions outage peers pipeline replay rib rib-at rib-query rolling startup twins vrps"

fail() {
    printf 'perf: %s\n' "$1" >&2
    exit 2
}

# Prints the home of a JDK of the required version: JAVA_HOME, then the first one on the PATH, then the usual directories.
find_jdk() {
    {
        [ -n "${JAVA_HOME:-}" ] && printf '%s\n' "$JAVA_HOME"
        java=$(command -v java) && java=$(readlink -f "$java") && printf '%s\n' "${java%/bin/java}"
        for folder in /usr/lib/jvm /usr/java /opt /opt/java /usr/local/lib/jvm /Library/Java/JavaVirtualMachines \
            "${HOME:-/}/.sdkman/candidates/java" "${HOME:-/}/.jdks"; do
            for found in "$folder"/* "$folder"/*/Contents/Home; do
                [ -d "$found" ] && printf '%s\n' "$found"
            done
        done
    } | while IFS= read -r candidate; do
        if [ -x "$candidate/bin/javac" ] && [ -r "$candidate/release" ] &&
            grep -q "^JAVA_VERSION=\"$jdk_version[\".+-]" "$candidate/release"; then
            printf '%s\n' "$candidate"
            break
        fi
    done
}

maven() {
    MAVEN_OPTS="--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow ${MAVEN_OPTS:-}" mvn -B -ntp -q "$@" ||
        fail "the build failed, see above"
}

[ $# -ge 1 ] || fail "no scenario given; usage: perf/run.sh NAME [options]; scenarios: all $scenarios"
perf=$(CDPATH='' cd -P "$(dirname "$0")" && pwd)
station=$(dirname "$perf")
JAVA_HOME=$(find_jdk)
[ -n "$JAVA_HOME" ] || fail "no JDK $jdk_version found: install one or set JAVA_HOME"
export JAVA_HOME

if [ "${SILKROUTE_BUILD:-}" != never ]; then
    command -v mvn >/dev/null 2>&1 || fail "Maven is missing: install Maven 3.8 or newer and put mvn on the PATH"
    maven -f "$station/pom.xml" install -DskipTests -Dspotless.check.skip
    maven -f "$perf/pom.xml" package
    # With the start-up caches that ./silkroute makes
    "$station/src/main/scripts/train" "$station/target/quarkus-app" "$station/target/train" >"$station/target/train.log" 2>&1 ||
        fail "no start-up caches, see $station/target/train.log"
fi

if [ "$1" = all ]; then
    shift
    [ $# -eq 0 ] || fail "all has no options: $*"
    failed=
    for name in $scenarios; do
        SILKROUTE_BUILD=never "$0" "$name" || failed="$failed $name"
    done
    [ -z "$failed" ] || { printf 'perf: failed:%s\n' "$failed" >&2; exit 1; }
    exit 0
fi

# The measured JVM has the heap of a separate collector and the station's jars as shipped. Scenarios that measure the station from outside need
# memory to compare everything that was sent, and those with a RIB need it for the RIB.
jars=$station/target/quarkus-app
case $1 in
    chaos | http | outage | rib | rib-query | rolling | twins) heap=3g ;;
    *) heap=512m ;;
esac
# Faults of the network and of disks need a network and mounts of their own, which only root may have; they end with the scenario.
own=
case $1 in
    chaos) command -v nft >/dev/null && command -v ip >/dev/null && unshare --net --mount true 2>/dev/null && own='unshare --net --mount' ;;
esac
# shellcheck disable=SC2086 # options are words on purpose
exec $own "$JAVA_HOME/bin/java" -Xms512m -Xmx$heap --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -Djava.util.logging.manager=org.jboss.logmanager.LogManager -Dperf.home="$perf" ${PERF_JAVA_OPTS:-} \
    -cp "$perf/target/classes:$station/target/test-classes:$jars/app/*:$jars/lib/main/*:$jars/lib/boot/*:$perf/target/jmh/*" dev.silkroute.perf.Perf "$@"
