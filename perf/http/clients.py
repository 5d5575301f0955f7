#!/usr/bin/env python3
"""clients.py URL PID [--seconds S] [--connections N]
Slow, huge and malicious HTTP clients against the API of a station on the loopback address. Fails if an answer has a
status of 500 or more other than 503, if the station does not answer an ordinary request within five seconds beside
them, or if its resident memory grows by more than a quarter. Standard library only."""
import argparse, collections, http.client, random, socket, sys, threading, time, urllib.parse

ap = argparse.ArgumentParser()
ap.add_argument("url"); ap.add_argument("pid", type=int)
ap.add_argument("--seconds", type=float, default=20); ap.add_argument("--connections", type=int, default=200)
a = ap.parse_args()
url = urllib.parse.urlsplit(a.url)
if url.hostname not in ("127.0.0.1", "localhost", "::1"):
    sys.exit("only a station on the loopback address may be tested")
PATHS = ["routes", "routes/history", "rib/at", "rib/diff", "compare", "reconcile", "lookup", "routers", "peers", "quarantine", "status"]
R = random.Random(1)
bad, statuses, lock = [], collections.Counter(), threading.Lock()

def connect(timeout=10):
    s = socket.create_connection((url.hostname, url.port), timeout); s.settimeout(timeout); return s

def count(what, status):
    with lock:
        statuses[(what, status)] += 1
        if isinstance(status, int) and status >= 500 and status != 503: bad.append("%s: status %d" % (what, status))

def raw(what, request):
    """Sends bytes and counts the status of the answer; a closed connection is an answer, too."""
    try:
        s = connect(); s.sendall(request); answer = s.recv(4096); s.close()
        count(what, int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/") else "closed")
    except (OSError, ValueError, IndexError) as e: count(what, type(e).__name__)

def get(what, target, headers={}, method="GET", body=None):
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    try:
        c.request(method, target, body=body, headers=headers); r = c.getresponse(); n = 0
        while chunk := r.read(1 << 16): n += len(chunk)
        count(what, r.status)
    except (OSError, http.client.HTTPException) as e: count(what, type(e).__name__)
    finally: c.close()

def resident():
    with open("/proc/%d/status" % a.pid) as f:
        return next(int(l.split()[1]) // 1024 for l in f if l.startswith("VmRSS:"))

slowest = 0.0
def watch(done):
    """An ordinary client beside the others."""
    global slowest
    while not done.wait(0.5):
        begun = time.time()
        try:
            c = http.client.HTTPConnection(url.hostname, url.port, timeout=30); c.request("GET", "/api/v1/peers?limit=1"); c.getresponse().read(); c.close()
        except OSError as e:
            with lock: bad.append("ordinary request: %s" % e)
        slowest = max(slowest, time.time() - begun)

VALUES = ["", "0", "-1", "1", "99999999999999999999", "1e309", "NaN", "null", "true", "%00", "%ff%fe", "%c0%af", "%ED%A0%80", "'", "';SELECT pg_sleep(9)--", "\"", "\\", "%25", "%0d%0aX:y", "../../etc/passwd",
          "10.0.0.0/8", "10.0.0.0/33", "::/0", "2001:db8::/129", "fe80::1%25eth0", "1.2.3", "0x7f.1", "2026-01-01T00:00:00Z", "9999-99-99T00:00:00Z", "-infinity", "infinity", "294277-01-01T00:00:00Z", "64500:1", "4294967296", "[]", "{}",
          "a" * 5000, "%F0%9F%92%A9", "(" * 500, "^" + "(a+)*" * 10 + "$", ",".join("f%d" % i for i in range(500))]
NAMES = ["prefix", "match", "nlri", "router", "peer", "view", "family", "rd", "community", "attribute", "stale", "at", "ts", "from", "to", "order", "within", "change", "fields", "limit", "cursor", "address", "origin_as", "as_path", "unknown"]

def malicious(end):
    while time.time() < end:
        path = "/api/v1/" + R.choice(PATHS)
        query = "&".join("%s=%s" % (R.choice(NAMES), R.choice(VALUES).replace(" ", "%20")) for _ in range(R.randint(1, 4)))
        k = R.randrange(8)
        if k < 4: raw("parameters", ("GET %s?%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (path, query, url.netloc)).encode("latin-1", "replace"))
        elif k == 4: raw("methods", ("%s %s HTTP/1.1\r\nHost: %s\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc" % (R.choice(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"]), path, url.netloc)).encode())
        elif k == 5: raw("headers", ("GET %s HTTP/1.1\r\nHost: %s\r\nAccept: %s\r\nIf-None-Match: %s\r\nRange: bytes=%s\r\nOrigin: http://example.com\r\nConnection: close\r\n\r\n" % (path, R.choice([url.netloc, "example.com", "", "127.0.0.1:0", "[::1", "a" * 300]), R.choice(["*/*", "text/csv", "application/x-ndjson", "a/b;q=9", "," * 200, "application/json;q=\"x"]), R.choice(["*", "\"\"", "W/", "\"" * 100]), R.choice(["0-", "-1", "9-1"]))).encode())
        elif k == 6: raw("framing", R.choice([
            b"GET / HTTP/9.9\r\n\r\n", b"\0" * 2000, b"GET " + b"/a" * 5000 + b" HTTP/1.1\r\n\r\n", R.randbytes(500), b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + R.randbytes(100), b"GET /api/v1/status HTTP/1.1\r\n" + b"X: y\r\n" * 5000 + b"\r\n",
            ("POST /api/v1/flows HTTP/1.1\r\nHost: %s\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nffffffffffffffff\r\n" % url.netloc).encode(), ("POST /api/v1/flows HTTP/1.1\r\nHost: %s\r\nContent-Length: -1\r\n\r\n" % url.netloc).encode()]))
        else: raw("traversal", ("GET /%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (R.choice(["../../../../etc/passwd", "..%2f..%2fetc/passwd", "%2e%2e/", "static/..;/", "q/../api", ".git/config", "//evil/", "%00", "a" * 3000, "api/v1/" + "x/" * 900]), url.netloc)).encode())

def huge(end):
    body = b'{"src_addr":"192.0.2.1"}\n' * 40000
    while time.time() < end:
        k = R.randrange(5)
        if k == 0: get("large answers", "/api/v1/routes?limit=1000000", {"Accept": R.choice(["application/json", "application/x-ndjson"])})
        elif k == 1: get("large answers", "/api/v1/routes?prefix=0.0.0.0/0&match=covered&limit=1000000")
        elif k == 2: get("large bodies", "/api/v1/flows", {"Content-Type": "application/x-ndjson"}, "POST", body * R.choice([1, 20]))
        elif k == 3: get("large requests", "/api/v1/routes?router=" + "x" * R.choice([4000, 9000, 100000]))
        else: get("large requests", "/api/v1/lookup?address=192.0.2.1", {"X-%d" % i: "y" * 500 for i in range(R.choice([10, 200]))})

def slow(end):
    """Sends one byte a second, or reads an answer of any size byte by byte."""
    reads = R.random() < 0.5
    try:
        s = connect(30)
        if reads:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048); s.sendall(("GET /api/v1/routes?limit=1000000 HTTP/1.1\r\nHost: %s\r\n\r\n" % url.netloc).encode())
            while time.time() < end: s.recv(16); time.sleep(0.5)
        else:
            for byte in ("GET /api/v1/status?" + "x" * 100000).encode():
                if time.time() > end: break
                s.send(bytes([byte])); time.sleep(0.5)
        s.close(); count("slow", "reading" if reads else "sending")
    except OSError as e: count("slow", type(e).__name__)

def phase(name, client, threads, seconds):
    done = threading.Event(); watcher = threading.Thread(target=watch, args=(done,)); watcher.start(); end = time.time() + seconds
    all = [threading.Thread(target=client, args=(end,)) for _ in range(threads)]
    for t in all: t.start()
    for t in all: t.join()
    done.set(); watcher.join()
    print("%-10s %4d clients, station %d MiB, slowest ordinary request %.2f s" % (name, threads, resident(), slowest), flush=True)

phase("warm-up", huge, 4, 10)  # the heap grows to its usual size
before = resident(); slowest = 0.0
print("before: station %d MiB" % before)
phase("malicious", malicious, 8, a.seconds)
phase("huge", huge, 16, a.seconds)
phase("slow", slow, a.connections, a.seconds)
phase("malicious", malicious, 8, a.seconds)
after = resident()
for (what, status), n in sorted(statuses.items(), key=str): print("  %-16s %-24s %d" % (what, status, n))
if after > before * 1.25: bad.append("resident memory grew from %d to %d MiB" % (before, after))
if slowest > 5: bad.append("an ordinary request took %.1f s" % slowest)
for b in list(dict.fromkeys(bad))[:50]: print("FAILED " + b)
print("%d failures" % len(bad)); sys.exit(1 if bad else 0)
