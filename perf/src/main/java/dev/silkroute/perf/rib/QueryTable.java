package dev.silkroute.perf.rib;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.route.RouteBatchBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Routes that are asked about: four peers that announce the same prefixes, with attributes drawn as {@link
 * AttributeDraw} does.
 */
final class QueryTable {
    static final int PEERS = 4;

    /** The peer that is queried. */
    static final int PEER = 2;

    private static final int RECORD = 1000;

    private record Row(int peer, RealTable.Prefix prefix, AttributeDraw.Drawn attributes) {
        int origin() {
            return attributes.path()[attributes.path().length - 1];
        }
    }

    private final List<Row> rows = new ArrayList<>();

    QueryTable(int size, AttributeDraw attributes) {
        SyntheticTable table = new SyntheticTable(new GoRandom(10));
        GoRandom drawing = new GoRandom(size);
        Set<RealTable.Prefix> known = new HashSet<>();
        while (rows.size() < size) {
            RealTable.Prefix prefix = table.next();
            if (known.add(prefix)) {
                AttributeDraw.Drawn drawn = attributes.draw(drawing);
                for (int peer = 0; peer < PEERS && rows.size() < size; peer++) {
                    // Two of the peers have the same path, the others one of their own.
                    rows.add(new Row(peer, prefix, peer < 2 ? drawn : attributes.draw(drawing)));
                }
            }
        }
    }

    int size() {
        return rows.size();
    }

    /** Returns an origin AS that routes of the peer have. */
    int originAs() {
        return rows.get(PEER).origin();
    }

    /** Returns the first AS of the path of one of these routes. */
    int firstAs() {
        return rows.get(PEER).attributes.path()[0];
    }

    /** Returns the table as records of the station. */
    List<byte[]> records() {
        RouteBatchBuilder builder = new RouteBatchBuilder();
        List<byte[]> records = new ArrayList<>();
        ByteSink set = new ByteSink();
        ByteSink nlri = new ByteSink();
        for (int from = 0; from < rows.size(); from += RECORD) {
            builder.begin("perf", "router", "192.0.2.1", 1, 1_700_000_000_000_000L);
            for (Row row : rows.subList(from, Math.min(rows.size(), from + RECORD))) {
                set.reset();
                nlri.reset();
                AttributeDraw.write(row.attributes, row.peer, false, set);
                RecordFeed.nlri(row.prefix.high(), 0, row.prefix.length(), nlri);
                builder.group(builder.peer(RecordFeed.peer(row.peer)), Family.IPV4_UNICAST)
                        .at(from, 0)
                        .announce(
                                builder.attributeSet(set.array(), 0, set.position()),
                                1,
                                nlri.array(),
                                0,
                                nlri.position());
            }
            records.add(builder.build());
        }
        return records;
    }

    /** A line of PostgreSQL's text format. */
    String line(int index) {
        Row row = rows.get(index);
        String prefix = Addresses.prefix(false, 0, row.prefix.high() >>> 32, row.prefix.length());
        String path = Arrays.stream(row.attributes.path())
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(",", "{", "}"));
        return row.peer + "\t" + Family.IPV4_UNICAST + "\t" + prefix + "\t" + row.origin() + "\t" + path + "\n";
    }
}
