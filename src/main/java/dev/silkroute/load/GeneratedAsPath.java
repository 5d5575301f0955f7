package dev.silkroute.load;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.AsPath.Segment;
import dev.silkroute.bgp.attribute.AsPath.SegmentType;
import dev.silkroute.bgp.attribute.AttributesEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The AS path of a route: optionally a confederation member, a sequence, optionally a set at the end. Behind the first
 * neighbour it is one of as many distinct paths as the global routing table has. One instance is reused for all routes;
 * not thread-safe.
 */
final class GeneratedAsPath {
    /** Distinct AS paths in the global table. */
    private static final int PATHS = 254_123;

    private static final long RANDOM_KEY = 1;

    /** The number of paths in the global table with 0, 1, 2 … hops, as cumulative weights. */
    private static final int[] HOPS =
            KeyedRandom.cumulative(0, 3, 366, 9645, 29251, 28984, 7340, 1423, 383, 63, 14, 2, 4, 4, 4, 4, 1);

    private static final int MAX_HOPS = 24;
    private static final int ASNS = 64_494;

    /** One AS number in four has four octets and is at least {@link #FIRST_FOUR_OCTET_ASN}. */
    private static final int FOUR_OCTET_SHARE = 4;

    private static final int FIRST_FOUR_OCTET_ASN = 131_072;
    private static final int AS_TRANS = 23_456;
    private static final int FIRST_CONFEDERATION_ASN = 64_600;
    private static final int MAX_TWO_OCTET_ASN = 0xFFFF;

    private final long seed;
    private final KeyedRandom random = new KeyedRandom();
    private final int[] asns = new int[MAX_HOPS];
    private int hops;
    private final int[] set = new int[4];
    private int setSize;

    /** The AS number of the confederation member, or 0 if the path has none. */
    private int confederationMember;

    GeneratedAsPath(long seed) {
        this.seed = seed;
    }

    void clear() {
        hops = 0;
        setSize = 0;
        confederationMember = 0;
    }

    /** Appends an AS number to the sequence. */
    void add(int asn) {
        asns[hops++] = asn;
    }

    /** Puts a confederation segment with one member in front (RFC 5065). */
    void prependConfederationMember(int number) {
        confederationMember = FIRST_CONFEDERATION_ASN + number;
    }

    /**
     * Appends one of the paths of the global table without its first {@code passed} hops.
     *
     * @param chooser selects the path; the path itself depends on the seed and the selection only
     */
    void draw(KeyedRandom chooser, int passed) {
        random.seek(seed, RANDOM_KEY, chooser.nextInt(PATHS), 0);
        for (int more = random.pick(HOPS) - passed; more > 0; more--) {
            add(drawAsn());
        }
        // Prepending happens mostly at the origin, which repeats its own number.
        if (hops > 0 && random.oneIn(16)) {
            for (int again = 1 + random.nextInt(3); again > 0; again--) {
                add(asns[hops - 1]);
            }
        }
        if (random.oneIn(250)) {
            setSize = 2 + random.nextInt(3);
            for (int i = 0; i < setSize; i++) {
                set[i] = drawAsn();
            }
        }
    }

    private int drawAsn() {
        int asn = random.nextInt(ASNS) + 1;
        if (random.nextInt(FOUR_OCTET_SHARE) == 0) {
            return FIRST_FOUR_OCTET_ASN + asn;
        }
        return asn == AS_TRANS ? AS_TRANS + 1 : asn;
    }

    /** Returns a random AS number of the sequence, or the router's own if the sequence is empty. */
    int anyAsn(KeyedRandom chooser) {
        return hops == 0 ? NlriSeries.PROVIDER_ASN : asns[chooser.nextInt(hops)];
    }

    /** Returns the last AS number of the sequence, or the router's own if the sequence is empty. */
    int lastAsn() {
        return hops == 0 ? NlriSeries.PROVIDER_ASN : asns[hops - 1];
    }

    /** Returns whether the path ends in an AS_SET, as after aggregation. */
    boolean hasSet() {
        return setSize > 0;
    }

    void write(boolean isFourOctetAs, AttributesEncoder out) {
        if (isFourOctetAs && confederationMember == 0 && setSize == 0 && hops > 0) {
            out.asSequence(asns, hops);
        } else {
            out.asPath(new AsPath(segments()));
        }
    }

    List<Segment> segments() {
        List<Segment> segments = new ArrayList<>();
        if (confederationMember > 0) {
            segments.add(new Segment(SegmentType.CONFED_SEQUENCE, List.of((long) confederationMember)));
        }
        if (hops > 0) {
            segments.add(new Segment(SegmentType.SEQUENCE, unsigned(asns, hops)));
        }
        if (setSize > 0) {
            segments.add(new Segment(SegmentType.SET, unsigned(set, setSize)));
        }
        return segments;
    }

    private static List<Long> unsigned(int[] asns, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Integer.toUnsignedLong(asns[i]))
                .toList();
    }

    /** Returns whether the path needs AS4_PATH on a session with two-octet AS numbers. */
    boolean needsFourOctets() {
        return IntStream.of(asns).limit(hops).anyMatch(GeneratedAsPath::needsFourOctets)
                || IntStream.of(set).limit(setSize).anyMatch(GeneratedAsPath::needsFourOctets);
    }

    static boolean needsFourOctets(int asn) {
        return Integer.compareUnsigned(asn, MAX_TWO_OCTET_ASN) > 0;
    }
}
