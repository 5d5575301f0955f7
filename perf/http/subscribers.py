#!/usr/bin/env python3
"""subscribers.py URL METRICS-URL [--subscribers 1000] [--stalled 100] [--runs 1] -- COMMAND…
Subscribers of RIS Live's WebSocket, some of which do not read while COMMAND sends routes to the station, on the loopback
address. Fails unless each subscriber has received, or been told that it missed, exactly what was published for it.
A few subscribers and many changes (--subscribers 6 --stalled 2 -- ./silkroute load --prefixes 2000 --peers 2 --churn 15000
--duration 8) find lost wake-ups best: all queues are full at the same time. Standard library only. The station needs silkroute.live.max-subscribers of at least --subscribers."""
import argparse, re, resource, selectors, socket, struct, subprocess, sys, time, urllib.parse, urllib.request

ap = argparse.ArgumentParser()
ap.add_argument("url"); ap.add_argument("metrics"); ap.add_argument("--subscribers", type=int, default=1000)
ap.add_argument("--stalled", type=int, default=100); ap.add_argument("--runs", type=int, default=1)
if "--" not in sys.argv: ap.error("-- COMMAND is missing")
a = ap.parse_args(sys.argv[1:sys.argv.index("--")]); command = sys.argv[sys.argv.index("--") + 1:]
url = urllib.parse.urlsplit(a.url)
if url.hostname not in ("127.0.0.1", "localhost", "::1"):
    sys.exit("only a station on the loopback address may be tested")
resource.setrlimit(resource.RLIMIT_NOFILE, (min(65536, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
MISSED = re.compile(rb'"missed":(\d+)')

def meter(name):
    text = urllib.request.urlopen(a.metrics, timeout=30).read().decode()
    return int(sum(float(l.rsplit(" ", 1)[1]) for l in text.splitlines() if l.startswith(name)))

class Subscriber:
    def __init__(self, reads):
        self.reads, self.received, self.missed, self.buffer, self.closed = reads, 0, 0, bytearray(), False
        self.socket = socket.socket(); self.socket.settimeout(30)
        if not reads: self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect((url.hostname, url.port))
        self.socket.sendall(("GET /api/v1/ws HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                             "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n" % url.netloc).encode())
        while b"\r\n\r\n" not in self.buffer: self.buffer += self.socket.recv(4096)
        if b" 101 " not in self.buffer.split(b"\r\n", 1)[0]: sys.exit("no upgrade: " + bytes(self.buffer[:200]).decode())
        del self.buffer[:self.buffer.index(b"\r\n\r\n") + 4]
        # The acknowledgement means that messages from now on are for this subscriber
        body = b'{"type":"ris_subscribe","data":{"socketOptions":{"acknowledge":true}}}'
        self.socket.sendall(bytes([0x81, 0x80 | len(body), 0, 0, 0, 0]) + body)
        while b"ris_subscribe_ok" not in self.buffer: self.buffer += self.socket.recv(4096)
        self.parse(); self.socket.setblocking(False)

    def parse(self):
        """Counts the messages of whole frames, which the station does not mask."""
        b, at = self.buffer, 0
        while len(b) - at >= 2:
            n, head = b[at + 1] & 0x7F, 2
            if n == 126: n, head = (struct.unpack_from(">H", b, at + 2)[0], 4) if len(b) - at >= 4 else (1 << 62, 4)
            elif n == 127: n, head = (struct.unpack_from(">Q", b, at + 2)[0], 10) if len(b) - at >= 10 else (1 << 62, 10)
            if len(b) - at < head + n: break
            if b[at] & 0xF == 9 and self.reads: self.socket.send(b"\x8a\x80\0\0\0\0")  # a ping is answered
            start = bytes(b[at + head:at + head + 21])
            if start.startswith(b'{"type":"ris_message"'): self.received += 1
            elif start.startswith(b'{"type":"ris_error"'): self.missed += int(MISSED.search(b, at + head, at + head + n).group(1))
            at += head + n
        del b[:at]

    def read(self):
        try: chunk = self.socket.recv(1 << 18)
        except BlockingIOError: return
        except OSError: chunk = b""
        if chunk: self.buffer += chunk; self.parse()
        else: self.closed = True

def run():
    while meter("silkroute_live_subscribers ") != 0: time.sleep(0.2)
    subscribers = [Subscriber(i >= a.stalled) for i in range(a.subscribers)]
    matched, published = meter("silkroute_live_messages_matched_total"), meter("silkroute_live_messages_published_total")
    selector = selectors.DefaultSelector()
    for s in subscribers:
        if s.reads: selector.register(s.socket, selectors.EVENT_READ, s)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    quiet, last, checked = time.time(), (0, 0), time.time()
    stalled, lag = True, time.time() + 600
    while time.time() < lag:
        for key, _ in selector.select(0.2):
            key.data.read()
            if key.data.closed: selector.unregister(key.data.socket)
        if time.time() - checked < 1: continue
        checked = time.time()
        now = (meter("silkroute_live_messages_published_total"), sum(s.received + s.missed for s in subscribers))
        if now != last or process.poll() is None: last, quiet = now, time.time()
        if time.time() - quiet < 5: continue
        if not stalled: break
        stalled, quiet = False, time.time()  # nothing more is published or received: now the stalled ones read
        for s in subscribers:
            if not s.reads: selector.register(s.socket, selectors.EVENT_READ, s)
    expected = (meter("silkroute_live_messages_matched_total") - matched) / len(subscribers)
    behind = [s for s in subscribers if s.received + s.missed != expected]
    print("published %d, for each subscriber %d; received %d, missed %d; %d subscribers are behind, %d were disconnected" % (
        meter("silkroute_live_messages_published_total") - published, expected, sum(s.received for s in subscribers),
        sum(s.missed for s in subscribers), len(behind), sum(s.closed for s in subscribers)), flush=True)
    for s in behind[:5]: print("  stalled %s, received %d, missed %d, closed %s" % (not s.reads, s.received, s.missed, s.closed))
    for s in subscribers: s.socket.close()
    return not behind and expected > 0 and process.returncode == 0

sys.exit(0 if all([run() for _ in range(a.runs)]) else 1)
