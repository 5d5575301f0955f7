package dev.silkroute.bgp.attribute;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.attribute.community.ExtendedCommunity;
import dev.silkroute.bgp.attribute.community.Ipv6ExtendedCommunity;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.net.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A canonical attribute set, whose layout is {@link AttributeSetWriter}'s, with attributes as objects. They are created
 * on demand, for writers, JSON and tests; the hot paths read the bytes. Immutable.
 */
public final class PathAttributes {
    private static final String SECTION = "canonical attribute set";
    private static final int HEADER = 4;

    private final byte[] bytes;

    private PathAttributes(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Decodes and validates a set.
     *
     * @throws DecodeException if the bytes are not a canonical set
     */
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
            previous = type;
            at = end;
        }
        return set;
    }

    private static void check(byte[] b, int type, int at, int end, int from) {
        int value = at + HEADER;
        boolean fits = type == AttributeCode.MP_REACH_NLRI
                ? end - value >= 4 && end - value == 4 + BigEndian.u8(b, value + 3)
                : Attribute.isCanonical(type, BigEndian.u8(b, at), b, value, end);
        if (!fits) {
            throw new DecodeException("attribute " + type + " is malformed", from + at, SECTION);
        }
    }

    /** Returns whether the set has an attribute of this type. */
    public boolean has(int type) {
        return from(type) >= 0;
    }

    /** Returns the types in the set, in ascending order. */
    public List<Integer> types() {
        List<Integer> types = new ArrayList<>();
        for (int at = 0; at < bytes.length; at = next(at)) {
            types.add(typeAt(at));
        }
        return types;
    }

    private int typeAt(int at) {
        return BigEndian.u8(bytes, at + 1);
    }

    private int next(int at) {
        return at + HEADER + BigEndian.u16(bytes, at + 2);
    }

    /** Returns the flags of an attribute that is in the set. */
    public int flags(int type) {
        return BigEndian.u8(bytes, from(type) - HEADER);
    }

    /** Returns the bytes of an attribute's value, empty if the set does not have the attribute. */
    public Optional<Bytes> value(int type) {
        int from = from(type);
        return from >= 0 ? Optional.of(Bytes.copyOf(bytes, from, endOf(from))) : Optional.empty();
    }

    /** Returns the origin; null without the attribute. */
    public @Nullable Origin origin() {
        int at = from(AttributeCode.ORIGIN);
        return at >= 0 ? Origin.of(bytes[at]) : null;
    }

    /** Returns the path; null without the attribute. */
    public @Nullable AsPath asPath() {
        int at = from(AttributeCode.AS_PATH);
        return at >= 0 ? AsPath.decode(bytes, at, endOf(at)) : null;
    }

    /**
     * Returns the next hop of MP_REACH_NLRI if the set has it, else that of NEXT_HOP; null without either, or if it is
     * empty as in FlowSpec.
     */
    public @Nullable NextHop nextHop() {
        int at = from(AttributeCode.MP_REACH_NLRI);
        if (at < 0) {
            return legacyNextHop();
        }
        int end = endOf(at);
        return at + 4 < end ? NextHop.decode(bytes, at + 4, end) : null;
    }

    /** Returns the address of NEXT_HOP, which does not apply to routes of MP_REACH_NLRI; null without the attribute. */
    public @Nullable NextHop legacyNextHop() {
        int at = from(AttributeCode.NEXT_HOP);
        return at >= 0 ? NextHop.decode(bytes, at, at + 4) : null;
    }

    /** Returns the family of MP_REACH_NLRI; empty for routes of the NLRI field. */
    public OptionalInt family() {
        int at = from(AttributeCode.MP_REACH_NLRI);
        return at >= 0
                ? OptionalInt.of(Family.of(BigEndian.u16(bytes, at), BigEndian.u8(bytes, at + 2)))
                : OptionalInt.empty();
    }

    public OptionalLong med() {
        return u32(AttributeCode.MULTI_EXIT_DISC);
    }

    /** Returns the AS number in Only to Customer (RFC 9234). */
    public OptionalLong onlyToCustomer() {
        return u32(AttributeCode.ONLY_TO_CUSTOMER);
    }

    public OptionalLong localPref() {
        return u32(AttributeCode.LOCAL_PREF);
    }

    /** Returns the first 32 bits of an attribute's value. */
    private OptionalLong u32(int type) {
        int at = from(type);
        return at >= 0 ? OptionalLong.of(BigEndian.u32(bytes, at)) : OptionalLong.empty();
    }

    /** Returns texts such as {@code 64500:1}, in the order of the message. */
    public List<String> communities() {
        return list(AttributeCode.COMMUNITIES, 4, at -> AttributeFields.community(bytes, at));
    }

    /** Returns texts such as {@code 64500:1:2}, in the order of the message. */
    public List<String> largeCommunities() {
        return list(AttributeCode.LARGE_COMMUNITIES, 12, at -> AttributeFields.largeCommunity(bytes, at));
    }

    /** Returns {@link ExtendedCommunity#text texts}, in the order of the message. */
    public List<String> extendedCommunities() {
        return list(AttributeCode.EXTENDED_COMMUNITIES, 8, at -> ExtendedCommunity.text(BigEndian.i64(bytes, at)));
    }

    /**
     * Returns whether there are extended communities and their bytes follow from {@link #extendedCommunities}: no other
     * extended communities have the same texts.
     */
    public boolean hasUniqueExtendedCommunityTexts() {
        int type = AttributeCode.EXTENDED_COMMUNITIES;
        int from = from(type);
        if (from < 0) {
            return false;
        }
        int end = endOf(from);
        for (int at = from; at < end; at += 8) {
            if (!ExtendedCommunity.hasUniqueText(BigEndian.i64(bytes, at))) {
                return false;
            }
        }
        return end > from;
    }

    /** Returns {@link Ipv6ExtendedCommunity#text texts}, in the order of the message. */
    public List<String> ipv6ExtendedCommunities() {
        return list(
                AttributeCode.IPV6_EXTENDED_COMMUNITIES,
                Ipv6ExtendedCommunity.LENGTH,
                at -> Ipv6ExtendedCommunity.text(bytes, at));
    }

    /** Returns the elements of a list attribute; empty without the attribute. */
    private List<String> list(int type, int size, IntFunction<String> element) {
        int from = from(type);
        if (from < 0) {
            return List.of();
        }
        int end = endOf(from);
        List<String> out = new ArrayList<>((end - from) / size);
        for (int at = from; at < end; at += size) {
            out.add(element.apply(at));
        }
        return Collections.unmodifiableList(out);
    }

    /** Returns the backing array, for {@link AttributesJson}. */
    byte[] bytes() {
        return bytes;
    }

    /** Returns the offset of an attribute's value; -1 without the attribute. Sets have few attributes, in order. */
    int from(int type) {
        int at = 0;
        while (at < bytes.length && typeAt(at) < type) {
            at = next(at);
        }
        return at < bytes.length && typeAt(at) == type ? at + HEADER : -1;
    }

    /** Returns the end of the value of an attribute that is in the set. */
    int end(int type) {
        return endOf(from(type));
    }

    /** Returns the end of the value that begins at an offset. */
    private int endOf(int from) {
        return from + BigEndian.u16(bytes, from - 2);
    }

    /** Returns the AS numbers of the path, in its order; empty without a path. */
    public List<Long> asns() {
        AsPath path = asPath();
        return path == null ? List.of() : path.asns();
    }

    /** Returns all attributes as a JSON object; {@code docs/reference/attributes.md} describes its fields. */
    public String toJson() {
        return toJson(_ -> false);
    }

    /** @param omitted types to leave out; NEXT_HOP stands for the addresses, from whichever attribute they are */
    public String toJson(IntPredicate omitted) {
        return isEmptyWithout(omitted) ? "{}" : Json.string(json -> AttributesJson.write(this, omitted, json));
    }

    /**
     * Returns whether the JSON object is empty because all attributes are omitted, as in most sets that are stored in
     * the database.
     */
    private boolean isEmptyWithout(IntPredicate omitted) {
        for (int at = 0; at < bytes.length; at = next(at)) {
            int type = typeAt(at);
            if (type == AttributeCode.MP_REACH_NLRI
                    || !Attribute.isKnown(type)
                    || (bytes[at] & AttributeCode.FLAG_PARTIAL) != 0
                    || !omitted.test(type)) {
                return false;
            }
        }
        return true;
    }

    /** Writes all attributes as a JSON object. */
    public void write(JsonGenerator json) throws IOException {
        AttributesJson.write(this, _ -> false, json);
    }
}
