package dev.silkroute.load;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.AsPath.Segment;
import dev.silkroute.bgp.attribute.AsPath.SegmentType;
import dev.silkroute.bgp.attribute.AttributesEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The AS path of a route: a confederation's own AS numbers, a sequence, a set at the end; most have the sequence only. What lies behind
 * the first neighbour is one of a limited number of paths, as many for a full table as there really are. Drawn into again and again; not
 * thread-safe.
 */
final class RoutePath {
    /** Paths of the global table. */
    private static final int PATHS = 254_123;

    private static final long PLACE = 1;

    /** How many paths of the global table have that many hops. */
    private static final int[] HOPS =
            Dice.cumulative(0, 3, 366, 9645, 29251, 28984, 7340, 1423, 383, 63, 14, 2, 4, 4, 4, 4, 1);

    private static final int MOST = 24;
    private static final int ASNS = 64_494;

    /** One AS number in this many has four octets, and from here on. */
    private static final int WIDE = 4;

    private static final int FIRST_WIDE = 131_072;
    private static final int AS_TRANS = 23_456;
    private static final int FIRST_CONFEDERATION = 64_600;
    private static final int TWO_OCTETS = 0xFFFF;

    private final long seed;
    private final Dice dice = new Dice();
    private final int[] asns = new int[MOST];
    private int hops;
    private final int[] set = new int[4];
    private int setSize;

    /** 0 for none. */
    private int confederation;

    RoutePath(long seed) {
        this.seed = seed;
    }

    void clear() {
        hops = 0;
        setSize = 0;
        confederation = 0;
    }

    /** The next AS, read from left to right. */
    void add(int asn) {
        asns[hops++] = asn;
    }

    /** The route comes from another member of the router's confederation. */
    void confederate(int member) {
        confederation = FIRST_CONFEDERATION + member;
    }

    /** One of the paths, {@code passed} hops from its beginning on. */
    void draw(Dice of, int passed) {
        dice.at(seed, PLACE, of.below(PATHS), 0);
        for (int more = dice.pick(HOPS) - passed; more > 0; more--) {
            add(asn());
        }
        // Who makes his path longer says his number again, at the origin mostly.
        if (hops > 0 && dice.oneIn(16)) {
            for (int again = 1 + dice.below(3); again > 0; again--) {
                add(asns[hops - 1]);
            }
        }
        if (dice.oneIn(250)) {
            setSize = 2 + dice.below(3);
            for (int i = 0; i < setSize; i++) {
                set[i] = asn();
            }
        }
    }

    private int asn() {
        int asn = dice.below(ASNS) + 1;
        if (dice.below(WIDE) == 0) {
            return FIRST_WIDE + asn;
        }
        return asn == AS_TRANS ? AS_TRANS + 1 : asn;
    }

    /** One of the AS numbers that routes pass, the router's own if there is none. */
    int any(Dice of) {
        return hops == 0 ? Nlris.PROVIDER : asns[of.below(hops)];
    }

    int last() {
        return hops == 0 ? Nlris.PROVIDER : asns[hops - 1];
    }

    /** Whether routers on the way have made one route of several. */
    boolean aggregated() {
        return setSize > 0;
    }

    void write(boolean fourOctetAs, AttributesEncoder out) {
        if (fourOctetAs && confederation == 0 && setSize == 0 && hops > 0) {
            out.asSequence(asns, hops);
        } else {
            out.asPath(path());
        }
    }

    private AsPath path() {
        List<Segment> segments = new ArrayList<>();
        if (confederation > 0) {
            segments.add(new Segment(SegmentType.CONFED_SEQUENCE, List.of((long) confederation)));
        }
        if (hops > 0) {
            segments.add(new Segment(SegmentType.SEQUENCE, numbers(asns, hops)));
        }
        if (setSize > 0) {
            segments.add(new Segment(SegmentType.SET, numbers(set, setSize)));
        }
        return new AsPath(segments);
    }

    private static List<Long> numbers(int[] asns, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Integer.toUnsignedLong(asns[i]))
                .toList();
    }

    /** As in {@code v_rib}. */
    String text() {
        List<String> parts = new ArrayList<>();
        if (confederation > 0) {
            parts.add("(" + confederation + ")");
        }
        numbers(asns, hops).forEach(asn -> parts.add(asn.toString()));
        if (setSize > 0) {
            parts.add(numbers(set, setSize).stream().map(Object::toString).collect(Collectors.joining(",", "{", "}")));
        }
        return String.join(" ", parts);
    }

    /** The column {@code origin_asn}: none behind a set. */
    @Nullable
    Long originAsn() {
        return setSize > 0 || hops == 0 ? null : Integer.toUnsignedLong(asns[hops - 1]);
    }

    /** Whether a session with two-octet AS numbers needs AS4_PATH for it. */
    boolean wide() {
        return IntStream.of(asns).limit(hops).anyMatch(RoutePath::wide)
                || IntStream.of(set).limit(setSize).anyMatch(RoutePath::wide);
    }

    static boolean wide(int asn) {
        return Integer.compareUnsigned(asn, TWO_OCTETS) > 0;
    }
}
