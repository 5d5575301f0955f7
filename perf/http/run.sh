#!/bin/sh
# Tests the REST API of a running station: requests generated from its OpenAPI description, and slow, huge and malicious clients.
#   ./silkroute run --data-dir data & ./silkroute load --routers 4 --peers 5 --prefixes 20000
#   perf/http/run.sh data [EXAMPLES [SECONDS]]
# Requires Python 3.10; installs Schemathesis into perf/target/schemathesis at first.
set -eu
here=$(CDPATH='' cd -P "$(dirname "$0")" && pwd)
data=${1:?usage: perf/http/run.sh DATA-DIRECTORY [EXAMPLES [SECONDS]]}
value() { sed -n "s/^$1=//p" "$data/station.properties" | sed 's/\\:/:/g'; }
url=$(value http.url)
tools=$here/../target/schemathesis
[ -x "$tools/bin/st" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install -q 'schemathesis>=4,<5'; }
failed=0
# The stream does not end, and names must not be sent to a DNS server
(cd "$here" && "$tools/bin/st" --config-file schemathesis.toml run "$url/q/openapi" --max-examples "${2:-100}" \
    --exclude-path /api/v1/stream --exclude-path /api/v1/ws --exclude-path /api/v1/resolve \
    --continue-on-failure --suppress-health-check all) || failed=1
"$tools/bin/python" "$here/clients.py" "$url" "$(value pid)" --seconds "${3:-20}" || failed=1
exit $failed
