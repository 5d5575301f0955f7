package dev.silkroute.perf.rib;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.perf.rib.PlainRib.Match;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** {@link PlainRib}, fed with objects that are made of the bytes as a decoder makes them. */
final class PlainStore implements Store {
    private final PlainRib rib = new PlainRib();

    /** The same records as the station's RIB is fed with: in them, what belongs to an update lies together. */
    @Override
    public Feed feed(Workload work, String name, boolean read) {
        return RecordFeed.of(work, name, read, this::apply);
    }

    private static PlainAttributes attributes(byte[] b, int first, int end) {
        PlainAttributes set = new PlainAttributes();
        for (int at = first; at < end; ) {
            int from = at + 4;
            int to = from + BigEndian.u16(b, at + 2);
            switch (b[at + 1]) {
                case 1 -> set.origin = b[from];
                case 2 -> set.path = ints(b, from + 2, to);
                case 3 -> set.nextHop = Arrays.copyOfRange(b, from, to);
                case 8 -> set.communities = ints(b, from, to);
                case 14 -> set.nextHop = Arrays.copyOfRange(b, from + 4, to);
                case 32 -> set.large = ints(b, from, to);
                default -> throw new IllegalStateException("attribute " + b[at + 1]);
            }
            at = to;
        }
        return set.finished();
    }

    private static int[] ints(byte[] b, int from, int to) {
        int[] values = new int[(to - from) / 4];
        for (int i = 0; i < values.length; i++) {
            values[i] = BigEndian.i32(b, from + 4 * i);
        }
        return values;
    }

    /** Each set of the record is decoded once. */
    @Override
    public void apply(RouteBatch batch) {
        @Nullable PlainAttributes[] sets = new @Nullable PlainAttributes[batch.attributeSetCount()];
        RouteCursor event = batch.cursor();
        while (event.next()) {
            NlriReader nlri = event.nlri();
            PlainRib.Prefix prefix = nlri.ipv6()
                    ? new PlainRib.Prefix(nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength())
                    : new PlainRib.Prefix(nlri.addressLow() << 32, 0, nlri.prefixLength());
            if (event.kind() == EventKind.WITHDRAW) {
                rib.withdraw(nlri.ipv6(), prefix, peer(batch, event), 0);
            } else {
                int set = event.attributeSet();
                PlainAttributes attributes = sets[set];
                if (attributes == null) {
                    attributes = attributes(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set));
                    sets[set] = attributes;
                }
                rib.announce(nlri.ipv6(), prefix, peer(batch, event), 0, attributes);
            }
        }
    }

    private static int peer(RouteBatch batch, RouteCursor event) {
        return (int) (batch.peer(event.peerIndex()).addressLow() - RecordFeed.FIRST_PEER);
    }

    @Override
    public Reader reader() {
        return new PlainReader();
    }

    @Override
    public long routes() {
        return rib.routes();
    }

    @Override
    public Flushed flush(int peer) {
        long start = System.nanoTime();
        rib.flush(peer);
        long nanos = System.nanoTime() - start;
        return new Flushed(nanos, nanos, nanos);
    }

    @Override
    public long reserved() {
        return 0;
    }

    private final class PlainReader implements Reader {
        private static long route(@Nullable Match match) {
            if (match == null) {
                return 0;
            }
            PlainAttributes attributes = match.route().attributes();
            return (long) attributes.originAs() << 8 | attributes.path.length;
        }

        private static int length(@Nullable Match match) {
            return match == null ? -1 : match.length();
        }

        private @Nullable Match match(int address) {
            return rib.match(false, (long) address << 32, 0);
        }

        private @Nullable Match match(long high, long low) {
            return rib.match(true, high, low);
        }

        @Override
        public long full4(int address) {
            return route(match(address));
        }

        @Override
        public long full6(long high, long low) {
            return route(match(high, low));
        }

        @Override
        public long match4(int address) {
            return length(match(address));
        }

        @Override
        public long match6(long high, long low) {
            return length(match(high, low));
        }

        @Override
        public long matches(Workload.Probes probes, int from, int to) {
            return Probing.matches(this, probes, from, to);
        }

        @Override
        public long fulls(Workload.Probes probes, int from, int to) {
            return Probing.fulls(this, probes, from, to);
        }

        @Override
        public long answer4(int address, boolean whole) {
            return answer(match(address), false, whole);
        }

        @Override
        public long answer6(long high, long low, boolean whole) {
            return answer(match(high, low), true, whole);
        }

        private static long answer(@Nullable Match match, boolean six, boolean whole) {
            if (match == null) {
                return 0;
            }
            long prefix = Digest.prefix(match.high(), match.low(), match.length());
            if (!whole) {
                return prefix;
            }
            PlainAttributes attributes = match.route().attributes();
            int[][] large = new int[attributes.large.length / 3][];
            Arrays.setAll(large, i -> Arrays.copyOfRange(attributes.large, 3 * i, 3 * i + 3));
            ByteSink bytes = new ByteSink();
            // The last octet of the next hop is the peer's number and 1, see AttributeDraw.
            int peer = attributes.nextHop[attributes.nextHop.length - 1] - 1;
            AttributeDraw.write(
                    new AttributeDraw.Drawn(attributes.path, attributes.communities, large), peer, six, bytes);
            return Digest.route(prefix, bytes.array(), 0, bytes.position());
        }
    }
}
