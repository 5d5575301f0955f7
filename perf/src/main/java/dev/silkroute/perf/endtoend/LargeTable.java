package dev.silkroute.perf.endtoend;

import dev.silkroute.load.ExpectedTable;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.Family;
import java.util.List;
import java.util.Map;

/**
 * The tables of a router with one peer, one for IPv4 and one for IPv6, which {@code silkroute load} sends in one BMP
 * session.
 *
 * <p>No prefix occurs twice, so the number of routes is that of prefixes. The generator enumerates the prefixes of each
 * length in an order in which none repeats. It draws the lengths as they are distributed in the global routing table,
 * and takes the next longer one where all prefixes of a length are used. IPv4 has 29 million prefixes of the lengths /8
 * to /24, so one peer can have 15,000,000: then all /16 to /19 are used, and 9.3 of the 14.5 million /24. IPv6 has many
 * more.
 *
 * @param ipv4 IPv4 unicast routes
 * @param ipv6 IPv6 unicast routes
 */
record LargeTable(int ipv4, int ipv6) {
    /** The name of the first router of a load. */
    static final String ROUTER = "load-0001";

    static final int PEERS = 1;
    static final String FAMILIES = "ipv4-unicast,ipv6-unicast";
    /** One table for each of the families. */
    static final int TABLES = 2;

    static final int MAX_RIB_BYTES_PER_ROUTE = 120;
    /** A station's RIB has a third of the heap. */
    private static final int RIB_SHARE = 3;

    long routes() {
        return (long) ipv4 + ipv6;
    }

    /** Returns the numbers of prefixes as {@code silkroute load} takes them. */
    String prefixes() {
        return ipv4 + "," + ipv6;
    }

    /** Returns the heap in GiB whose share for the RIB has room for the table. */
    long heapGib() {
        return Math.max(1, Math.ceilDiv(RIB_SHARE * MAX_RIB_BYTES_PER_ROUTE * routes(), 1L << 30));
    }

    /** Returns the settings of a station with such a table. */
    Map<String, String> settings() {
        return Map.of("SILKROUTE_JAVA_OPTS", "-Xmx%dg".formatted(heapGib()));
    }

    /** Returns what the generator draws for both tables. */
    List<ExpectedTable> expected() {
        return ExpectedTable.of(TestLoad.of(StationLoad.DUMP_SEED, PEERS, 1)
                .families(Family.IPV4_UNICAST, Family.IPV6_UNICAST)
                .prefixes(ipv4, ipv6)
                .router());
    }
}
