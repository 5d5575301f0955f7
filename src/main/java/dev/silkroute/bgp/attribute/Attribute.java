package dev.silkroute.bgp.attribute;

import static dev.silkroute.bgp.attribute.AttributeCode.FLAG_OPTIONAL;
import static dev.silkroute.bgp.attribute.AttributeCode.FLAG_TRANSITIVE;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.DecodeOutcome.Kind;
import dev.silkroute.bgp.attribute.tlv.Aigp;
import dev.silkroute.bgp.attribute.tlv.LinkState;
import dev.silkroute.bgp.attribute.tlv.PmsiTunnel;
import dev.silkroute.bgp.attribute.tlv.PrefixSid;
import dev.silkroute.bgp.attribute.tlv.TunnelEncapsulation;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The path attributes that Silkroute decodes. One constant is all there is to an attribute: its code and flags, the
 * form of its value, what to do if it is malformed (RFC 7606), and its fields in JSON ({@code
 * docs/reference/attributes.md}). To add an attribute, add a constant, an example to the document, and a property to
 * {@code docs/reference/schema/attributes.schema.json}.
 *
 * <p>AS_PATH and the aggregators depend on each other and are validated by {@code UpdateDecoder}, which also parses the
 * MP attributes.
 *
 * <p>The decoder cannot see whether a session is internal or external. LOCAL_PREF, ORIGINATOR_ID and CLUSTER_LIST are
 * therefore validated by the rules for internal sessions, so that what a router has is kept.
 */
public enum Attribute {
    /** RFC 4271, Section 5.1.1. */
    ORIGIN(
            AttributeCode.ORIGIN,
            FLAG_TRANSITIVE,
            Form.checked(Attribute::isOrigin),
            treatAsWithdraw("ORIGIN is not one byte of 0, 1 or 2", "RFC 7606, Section 7.1"),
            AttributeFields::origin),
    /** RFC 4271, Section 5.1.2. */
    AS_PATH(
            AttributeCode.AS_PATH,
            FLAG_TRANSITIVE,
            Form.ANY,
            treatAsWithdraw("AS_PATH is malformed in both AS number sizes", "RFC 7606, Section 7.2"),
            AttributeFields.asPath("as_path")),
    /** RFC 4271, Section 5.1.3. {@link NextHopJson} writes its fields. */
    NEXT_HOP(
            AttributeCode.NEXT_HOP,
            FLAG_TRANSITIVE,
            Form.length(4),
            treatAsWithdraw("NEXT_HOP is not 4 bytes", "RFC 7606, Section 7.3"),
            null),
    /** RFC 4271, Section 5.1.4. */
    MULTI_EXIT_DISC(
            AttributeCode.MULTI_EXIT_DISC,
            FLAG_OPTIONAL,
            Form.length(4),
            treatAsWithdraw("MULTI_EXIT_DISC is not 4 bytes", "RFC 7606, Section 7.4"),
            AttributeFields.number("med")),
    /** RFC 4271, Section 5.1.5. */
    LOCAL_PREF(
            AttributeCode.LOCAL_PREF,
            FLAG_TRANSITIVE,
            Form.length(4),
            treatAsWithdraw("LOCAL_PREF is not 4 bytes", "RFC 7606, Section 7.5"),
            AttributeFields.number("local_pref")),
    /** RFC 4271, Section 5.1.6. */
    ATOMIC_AGGREGATE(
            AttributeCode.ATOMIC_AGGREGATE,
            FLAG_TRANSITIVE,
            Form.length(0),
            discard("ATOMIC_AGGREGATE is not empty", "RFC 7606, Section 7.6"),
            (b, from, to, json) -> json.writeBooleanField("atomic_aggregate", true)),
    /** RFC 4271, Section 5.1.7. */
    AGGREGATOR(
            AttributeCode.AGGREGATOR,
            FLAG_OPTIONAL | FLAG_TRANSITIVE,
            Form.ANY,
            discard("AGGREGATOR does not fit the AS number size", "RFC 7606, Section 7.7"),
            AttributeFields.aggregator("aggregator")),
    /** RFC 1997. */
    COMMUNITIES(
            AttributeCode.COMMUNITIES,
            FLAG_OPTIONAL | FLAG_TRANSITIVE,
            Form.list(4),
            treatAsWithdraw("COMMUNITIES is not a list of 4-byte values", "RFC 7606, Section 7.8"),
            AttributeFields::communities),
    /** RFC 4456, Section 8. */
    ORIGINATOR_ID(
            AttributeCode.ORIGINATOR_ID,
            FLAG_OPTIONAL,
            Form.length(4),
            treatAsWithdraw("ORIGINATOR_ID is not 4 bytes", "RFC 7606, Section 7.9"),
            AttributeFields::originatorId),
    /** RFC 4456, Section 8. */
    CLUSTER_LIST(
            AttributeCode.CLUSTER_LIST,
            FLAG_OPTIONAL,
            Form.list(4),
            treatAsWithdraw("CLUSTER_LIST is not a list of 4-byte values", "RFC 7606, Section 7.10"),
            AttributeFields::clusterList),
    /** RFC 4760, Section 3. {@link NextHopJson} writes its fields. */
    MP_REACH_NLRI(
            AttributeCode.MP_REACH_NLRI,
            FLAG_OPTIONAL,
            Form.ANY,
            treatAsWithdraw("MP_REACH_NLRI is malformed", "RFC 7606, Section 7.11"),
            null),
    /** RFC 4760, Section 4. */
    MP_UNREACH_NLRI(
            AttributeCode.MP_UNREACH_NLRI,
            FLAG_OPTIONAL,
            Form.ANY,
            treatAsWithdraw("MP_UNREACH_NLRI is malformed", "RFC 7606, Section 7.12"),
            null),
    /** RFC 4360. */
    EXTENDED_COMMUNITIES(
            AttributeCode.EXTENDED_COMMUNITIES,
            FLAG_OPTIONAL | FLAG_TRANSITIVE,
            Form.list(8),
            treatAsWithdraw("extended communities are not a list of 8-byte values", "RFC 7606, Section 7.14"),
            AttributeFields::extendedCommunities),
    /** RFC 6793, Section 3. */
    AS4_PATH(
            AttributeCode.AS4_PATH,
            FLAG_OPTIONAL | FLAG_TRANSITIVE,
            Form.checked((b, from, to) -> to - from >= 6 && AsPathBytes.fits(b, from, to, 4)),
            discard("AS4_PATH is malformed", "RFC 6793, Section 6"),
            AttributeFields.asPath("as4_path")),
    /** RFC 6793, Section 3. */
    AS4_AGGREGATOR(
            AttributeCode.AS4_AGGREGATOR,
            FLAG_OPTIONAL | FLAG_TRANSITIVE,
            Form.length(8),
            discard("AS4_AGGREGATOR is not 8 bytes", "RFC 6793, Section 6"),
            AttributeFields.aggregator("as4_aggregator")),
    /** RFC 6514, Section 5. */
    PMSI_TUNNEL(
            AttributeCode.PMSI_TUNNEL,
            FLAG_OPTIONAL | FLAG_TRANSITIVE,
            Form.checked(PmsiTunnel::fits),
            treatAsWithdraw("PMSI Tunnel does not have an identifier of its tunnel type", "RFC 6514, Section 5"),
            AttributeFields.value("pmsi_tunnel", PmsiTunnel::write)),
    /** RFC 9012, Section 2. */
    TUNNEL_ENCAPSULATION(
            AttributeCode.TUNNEL_ENCAPSULATION,
            FLAG_OPTIONAL | FLAG_TRANSITIVE,
            Form.checked(TunnelEncapsulation::fits),
            treatAsWithdraw("no tunnel, or TLVs that do not end with their tunnel", "RFC 9012, Section 13"),
            AttributeFields.value("tunnel_encapsulation", TunnelEncapsulation::write)),
    /** RFC 5701. */
    IPV6_EXTENDED_COMMUNITIES(
            AttributeCode.IPV6_EXTENDED_COMMUNITIES,
            FLAG_OPTIONAL | FLAG_TRANSITIVE,
            Form.list(20),
            treatAsWithdraw("IPv6 extended communities are not a list of 20-byte values", "RFC 7606, Section 7.15"),
            AttributeFields::ipv6ExtendedCommunities),
    /** RFC 7311, Section 3. */
    AIGP(
            AttributeCode.AIGP,
            FLAG_OPTIONAL,
            Form.checked(Aigp::fits),
            discard("AIGP TLV is malformed", "RFC 7311, Section 3.2"),
            AttributeFields.value("aigp", Aigp::write)),
    /** RFC 9552, Section 5.3. */
    BGP_LS(
            AttributeCode.BGP_LS,
            FLAG_OPTIONAL,
            Form.checked(LinkState::fits),
            discard("BGP-LS TLV runs over the end", "RFC 9552, Section 8.2.2"),
            AttributeFields.value("bgp_ls", LinkState::write)),
    /** RFC 8092. */
    LARGE_COMMUNITIES(
            AttributeCode.LARGE_COMMUNITIES,
            FLAG_OPTIONAL | FLAG_TRANSITIVE,
            Form.list(12),
            treatAsWithdraw("large communities are not a list of 12-byte values", "RFC 8092, Section 5"),
            AttributeFields::largeCommunities),
    /** RFC 9234, Section 5. */
    ONLY_TO_CUSTOMER(
            AttributeCode.ONLY_TO_CUSTOMER,
            FLAG_OPTIONAL | FLAG_TRANSITIVE,
            Form.length(4),
            treatAsWithdraw("Only to Customer is not 4 bytes", "RFC 9234, Section 5"),
            AttributeFields.number("otc")),
    /** RFC 8669, Section 3. */
    PREFIX_SID(
            AttributeCode.PREFIX_SID,
            FLAG_OPTIONAL | FLAG_TRANSITIVE,
            Form.checked((b, from, to) -> PrefixSid.check(b, from, to) == PrefixSid.Validity.VALID),
            discard("Prefix-SID TLV runs over the end or has a wrong length", "RFC 8669, Section 6"),
            AttributeFields.value("prefix_sid", PrefixSid::write)),
    /** RFC 6368, Section 5. {@link AttributesJson} writes its fields. */
    ATTR_SET(
            AttributeCode.ATTR_SET,
            FLAG_OPTIONAL | FLAG_TRANSITIVE,
            Form.checked(AttrSet::isWhole),
            treatAsWithdraw("ATTR_SET is not an origin AS and whole attributes", "RFC 7606, Section 7.16"),
            null);

    /** Writes the fields of a valid attribute into an open JSON object. */
    @FunctionalInterface
    interface Fields {
        void write(byte[] b, int from, int to, JsonGenerator json) throws IOException;
    }

    private static final int FLAGS = FLAG_OPTIONAL | FLAG_TRANSITIVE;

    /** Indexed by code; null for the codes that are not decoded. */
    private static final @Nullable Attribute[] BY_CODE = new Attribute[256];

    /**
     * The flags and {@link Form#lengths lengths} of valid attributes by code: {@code u8 flags | u48 lengths}. The
     * decoder then reads one number instead of following references to a constant and its form, which costs about 4 %
     * of decoding.
     */
    private static final long[] PLAIN = new long[256];

    private static final int PLAIN_FLAGS_SHIFT = 48;
    private static final long LENGTHS = (1L << PLAIN_FLAGS_SHIFT) - 1;

    static {
        Arrays.fill(PLAIN, Form.checked((_, _, _) -> false).lengths());
        for (Attribute attribute : values()) {
            BY_CODE[attribute.code] = attribute;
            PLAIN[attribute.code] = (long) attribute.flags << PLAIN_FLAGS_SHIFT | attribute.form.lengths();
        }
    }

    private final int code;
    private final int flags;
    private final Form form;
    private final AttributeFault malformed;
    private final @Nullable Fields fields;

    Attribute(int code, int flags, Form form, AttributeFault malformed, @Nullable Fields fields) {
        this.code = code;
        this.flags = flags;
        this.form = form;
        this.malformed = malformed;
        this.fields = fields;
    }

    private static AttributeFault treatAsWithdraw(String reason, String section) {
        return new AttributeFault(Kind.TREAT_AS_WITHDRAW, reason, section);
    }

    private static AttributeFault discard(String reason, String section) {
        return new AttributeFault(Kind.ATTRIBUTE_DISCARD, reason, section);
    }

    /** Returns the attribute with a code, null for an unknown one. */
    public static @Nullable Attribute of(int code) {
        return BY_CODE[code];
    }

    /** Returns whether an attribute with this code is decoded. */
    public static boolean isKnown(int code) {
        return BY_CODE[code] != null;
    }

    /** Returns the flags that an attribute is sent with: optional and transitive for unknown ones. */
    public static int flags(int code) {
        Attribute attribute = BY_CODE[code];
        return attribute == null ? FLAGS : attribute.flags;
    }

    /** The type code. */
    public int code() {
        return code;
    }

    /** The fault of a value that does not have the form of this attribute. */
    public AttributeFault malformed() {
        return malformed;
    }

    /** Writes the fields of a valid attribute; null if they depend on more than the value. */
    @Nullable
    Fields fields() {
        return fields;
    }

    /**
     * Validates one attribute by itself. Does not allocate.
     *
     * @return the fault of the attribute whose value is {@code from..to}, or null
     */
    public static @Nullable AttributeFault check(int code, int flags, byte[] b, int from, int to) {
        long plain = PLAIN[code];
        if (((plain >>> PLAIN_FLAGS_SHIFT ^ flags) & FLAGS) == 0 && Form.fits(plain & LENGTHS, to - from)) {
            return null;
        }
        return code == AttributeCode.ORIGIN && flags == FLAG_TRANSITIVE && isOrigin(b, from, to)
                ? null
                : checkFully(code, flags, b, from, to);
    }

    private static @Nullable AttributeFault checkFully(int code, int flags, byte[] b, int from, int to) {
        Attribute attribute = BY_CODE[code];
        if (attribute == null) {
            return (flags & FLAG_OPTIONAL) != 0 ? null : AttributeFault.UNRECOGNIZED_WELL_KNOWN;
        }
        if (((attribute.flags ^ flags) & FLAGS) != 0) {
            return attribute == AIGP ? AttributeFault.AIGP_FLAGS : AttributeFault.FLAGS;
        }
        return attribute.form.fits(b, from, to) ? null : attribute.fault(b, from, to);
    }

    /**
     * Returns whether an attribute is valid in a canonical set, where AS numbers have four octets and MP attributes no
     * NLRI.
     */
    static boolean isCanonical(int code, int flags, byte[] b, int from, int to) {
        return switch (code) {
            case AttributeCode.MP_REACH_NLRI, AttributeCode.MP_UNREACH_NLRI -> false;
            case AttributeCode.AS_PATH -> check(code, flags, b, from, to) == null && AsPathBytes.fits(b, from, to, 4);
            case AttributeCode.AGGREGATOR -> check(code, flags, b, from, to) == null && to - from == 8;
            default -> {
                AttributeFault fault = check(code, flags, b, from, to);
                yield fault == null || fault == AttributeFault.UNRECOGNIZED_WELL_KNOWN;
            }
        };
    }

    private AttributeFault fault(byte[] b, int from, int to) {
        return this == PREFIX_SID && PrefixSid.check(b, from, to) == PrefixSid.Validity.MALFORMED_SERVICE
                ? AttributeFault.SRV6_SERVICE
                : malformed;
    }

    private static boolean isOrigin(byte[] b, int from, int to) {
        return to - from == 1 && b[from] >= 0 && b[from] <= 2;
    }
}
