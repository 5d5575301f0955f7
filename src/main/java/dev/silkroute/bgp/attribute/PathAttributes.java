package dev.silkroute.bgp.attribute;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One canonical attribute set as objects, made on demand: for writers, JSON and tests, not for the hot path. The layout
 * of a set is {@link AttributeSetWriter}'s. Immutable.
 */
public final class PathAttributes {
    private static final String SECTION = "canonical attribute set";
    private static final int HEADER = 4;

    private final byte[] bytes;

    /** Offset of each attribute's value by type; -1 where there is none. */
    private final int[] values = new int[256];

    private PathAttributes(byte[] bytes) {
        this.bytes = bytes;
        Arrays.fill(values, -1);
    }

    /** @throws DecodeException if the bytes are no canonical set */
    public static PathAttributes decode(byte[] canonical, int from, int to) {
        PathAttributes set = new PathAttributes(Arrays.copyOfRange(canonical, from, to));
        byte[] b = set.bytes;
        int at = 0;
        int previous = -1;
        while (at < b.length) {
            if (b.length - at < HEADER) {
                throw new DecodeException("set ends within an attribute header", from + at, SECTION);
            }
            int type = BigEndian.u8(b, at + 1);
            int end = at + HEADER + BigEndian.u16(b, at + 2);
            if (end > b.length || type <= previous) {
                throw new DecodeException("attribute " + type + " overruns or is out of order", from + at, SECTION);
            }
            check(b, type, at, end, from);
            set.values[type] = at + HEADER;
            previous = type;
            at = end;
        }
        return set;
    }

    private static void check(byte[] b, int type, int at, int end, int from) {
        int value = at + HEADER;
        boolean fits = switch (type) {
            case AttributeCode.AS_PATH -> AsPathBytes.fits(b, value, end, 4);
            case AttributeCode.AGGREGATOR -> end - value == 8;
            case AttributeCode.MP_REACH_NLRI -> end - value >= 4 && end - value == 4 + BigEndian.u8(b, value + 3);
            case AttributeCode.MP_UNREACH_NLRI -> false;
            default -> {
                AttributeFault fault = AttributeRules.check(type, BigEndian.u8(b, at), b, value, end);
                yield fault == null || fault == AttributeFault.UNRECOGNIZED_WELL_KNOWN;
            }
        };
        if (!fits) {
            throw new DecodeException("attribute " + type + " is malformed", from + at, SECTION);
        }
    }

    public boolean has(int type) {
        return values[type] >= 0;
    }

    /** The types of the set, ascending. */
    public List<Integer> types() {
        List<Integer> types = new ArrayList<>();
        for (int type = 0; type < values.length; type++) {
            if (has(type)) {
                types.add(type);
            }
        }
        return types;
    }

    /** The flags of an attribute that the set has. */
    public int flags(int type) {
        return BigEndian.u8(bytes, values[type] - HEADER);
    }

    /** The value of any attribute, byte for byte as it stands in the set. */
    public Optional<Bytes> value(int type) {
        return has(type) ? Optional.of(Bytes.copyOf(bytes, values[type], end(type))) : Optional.empty();
    }

    public @Nullable Origin origin() {
        return has(AttributeCode.ORIGIN) ? Origin.of(bytes[values[AttributeCode.ORIGIN]]) : null;
    }

    public @Nullable AsPath asPath() {
        return has(AttributeCode.AS_PATH)
                ? AsPath.decode(bytes, values[AttributeCode.AS_PATH], end(AttributeCode.AS_PATH))
                : null;
    }

    /**
     * From MP_REACH_NLRI if the set has one, else from NEXT_HOP; null if there is none, or an empty one as in FlowSpec.
     */
    public @Nullable NextHop nextHop() {
        if (!has(AttributeCode.MP_REACH_NLRI)) {
            return legacyNextHop();
        }
        int at = values[AttributeCode.MP_REACH_NLRI] + 4;
        return at < end(AttributeCode.MP_REACH_NLRI)
                ? NextHop.decode(bytes, at, end(AttributeCode.MP_REACH_NLRI))
                : null;
    }

    /** From NEXT_HOP, which means nothing to routes of MP_REACH_NLRI. */
    public @Nullable NextHop legacyNextHop() {
        int at = values[AttributeCode.NEXT_HOP];
        return at >= 0 ? NextHop.decode(bytes, at, at + 4) : null;
    }

    /** The family that MP_REACH_NLRI names; empty in sets of the NLRI field. */
    public OptionalInt family() {
        int at = values[AttributeCode.MP_REACH_NLRI];
        return at >= 0
                ? OptionalInt.of(Family.of(BigEndian.u16(bytes, at), BigEndian.u8(bytes, at + 2)))
                : OptionalInt.empty();
    }

    public OptionalLong med() {
        return u32(AttributeCode.MULTI_EXIT_DISC);
    }

    public OptionalLong localPref() {
        return u32(AttributeCode.LOCAL_PREF);
    }

    /** The 32 bits of an attribute whose value begins with them. */
    private OptionalLong u32(int type) {
        return has(type) ? OptionalLong.of(BigEndian.u32(bytes, values[type])) : OptionalLong.empty();
    }

    /** {@code 64500:1}, in the order of the message. */
    public List<String> communities() {
        return list(AttributeCode.COMMUNITIES, 4, at -> CommunityJson.community(bytes, at));
    }

    /** {@code 64500:1:2}, in the order of the message. */
    public List<String> largeCommunities() {
        return list(AttributeCode.LARGE_COMMUNITIES, 12, at -> CommunityJson.largeCommunity(bytes, at));
    }

    /** {@link ExtendedCommunity#text}, in the order of the message. */
    public List<String> extendedCommunities() {
        return list(AttributeCode.EXTENDED_COMMUNITIES, 8, at -> ExtendedCommunity.text(BigEndian.i64(bytes, at)));
    }

    /** Whether there are some, and each one's text stands for it alone. */
    public boolean extendedCommunitiesAreExact() {
        int type = AttributeCode.EXTENDED_COMMUNITIES;
        for (int at = values[type]; at >= 0 && at < end(type); at += 8) {
            if (!ExtendedCommunity.isExact(BigEndian.i64(bytes, at))) {
                return false;
            }
        }
        return has(type) && end(type) > values[type];
    }

    /** {@link Ipv6ExtendedCommunity#text}, in the order of the message. */
    public List<String> ipv6ExtendedCommunities() {
        return list(
                AttributeCode.IPV6_EXTENDED_COMMUNITIES,
                Ipv6ExtendedCommunity.LENGTH,
                at -> Ipv6ExtendedCommunity.text(bytes, at));
    }

    /** Elements of a list attribute; empty if there is none. */
    private List<String> list(int type, int size, IntFunction<String> element) {
        List<String> out = new ArrayList<>();
        for (int at = values[type]; at >= 0 && at < end(type); at += size) {
            out.add(element.apply(at));
        }
        return List.copyOf(out);
    }

    /** The bytes behind, for {@link AttributesJson}. */
    byte[] bytes() {
        return bytes;
    }

    /** Offset of the value of an attribute that the set has. */
    int from(int type) {
        return values[type];
    }

    int end(int type) {
        return values[type] + BigEndian.u16(bytes, values[type] - 2);
    }

    /** Every AS number of the path, in its order; empty without a path. */
    public List<Long> asns() {
        AsPath path = asPath();
        return path == null ? List.of() : path.asns();
    }

    /** All attributes; keys and their order are {@link AttributesJson}'s. */
    public String toJson() {
        return toJson(_ -> false);
    }

    /**
     * @param leftOut attributes to say nothing of, by type; NEXT_HOP stands for the addresses, wherever they are from
     */
    public String toJson(IntPredicate leftOut) {
        return AttributesJson.write(this, leftOut);
    }
}
