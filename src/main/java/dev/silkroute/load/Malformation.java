package dev.silkroute.load;

import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.net.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which a generated message can be malformed, and how a station must handle each (RFC 7606). The BMP
 * framing is always valid, so the session continues.
 */
public enum Malformation {
    ORIGIN_FLAGS(Effect.WITHDRAWN, AttributeCode.ORIGIN, "c0010100"),
    ORIGIN_LENGTH(Effect.WITHDRAWN, AttributeCode.ORIGIN, "4001020000"),
    ORIGIN_VALUE(Effect.WITHDRAWN, AttributeCode.ORIGIN, "40010103"),
    ORIGIN_MISSING(Effect.WITHDRAWN, AttributeCode.ORIGIN, ""),
    AS_PATH_FLAGS(Effect.WITHDRAWN, AttributeCode.AS_PATH, "c0020602010000fbf4"),
    AS_PATH_SEGMENT_TYPE(Effect.WITHDRAWN, AttributeCode.AS_PATH, "40020607010000fbf4"),
    AS_PATH_SEGMENT_OVERRUN(Effect.WITHDRAWN, AttributeCode.AS_PATH, "40020602ff0000fbf4"),
    AS_PATH_EMPTY_SEGMENT(Effect.WITHDRAWN, AttributeCode.AS_PATH, "4002020200"),
    AS_PATH_CUT(Effect.WITHDRAWN, AttributeCode.AS_PATH, "40020102"),
    AS_PATH_MISSING(Effect.WITHDRAWN, AttributeCode.AS_PATH, ""),
    NEXT_HOP_LENGTH(Effect.WITHDRAWN, AttributeCode.NEXT_HOP, "400303c00002"),
    MED_LENGTH(Effect.WITHDRAWN, AttributeCode.MULTI_EXIT_DISC, "800403000001"),
    LOCAL_PREF_LENGTH(Effect.WITHDRAWN, AttributeCode.LOCAL_PREF, "4005020064"),
    COMMUNITIES_LENGTH(Effect.WITHDRAWN, AttributeCode.COMMUNITIES, "c00805fbf4000100"),
    COMMUNITIES_EMPTY(Effect.WITHDRAWN, AttributeCode.COMMUNITIES, "c00800"),
    ORIGINATOR_ID_LENGTH(Effect.WITHDRAWN, AttributeCode.ORIGINATOR_ID, "8009030a0000"),
    CLUSTER_LIST_LENGTH(Effect.WITHDRAWN, AttributeCode.CLUSTER_LIST, "800a030a0000"),
    EXTENDED_COMMUNITIES_LENGTH(Effect.WITHDRAWN, AttributeCode.EXTENDED_COMMUNITIES, "c010070002fbf4000000"),
    IPV6_EXTENDED_COMMUNITIES_LENGTH(Effect.WITHDRAWN, AttributeCode.IPV6_EXTENDED_COMMUNITIES, "c0190400022001"),
    LARGE_COMMUNITIES_LENGTH(Effect.WITHDRAWN, AttributeCode.LARGE_COMMUNITIES, "c0200b0000fbf400000001000000"),
    ONLY_TO_CUSTOMER_LENGTH(Effect.WITHDRAWN, AttributeCode.ONLY_TO_CUSTOMER, "c023030000fb"),
    PMSI_TUNNEL_LENGTH(Effect.WITHDRAWN, AttributeCode.PMSI_TUNNEL, "c0160400060000"),
    TUNNEL_OVERRUN(Effect.WITHDRAWN, AttributeCode.TUNNEL_ENCAPSULATION, "c0170400080009"),
    SRV6_SERVICE_CUT(Effect.WITHDRAWN, AttributeCode.PREFIX_SID, "c028050500020001"),
    ATTR_SET_CUT(Effect.WITHDRAWN, AttributeCode.ATTR_SET, "c080030000fb"),
    /** An attribute of two bytes whose length field is 65,535. */
    ATTRIBUTE_OVERRUN(Effect.WITHDRAWN, GeneratedAttributes.NOTHING, "d0feffff0000"),

    ATOMIC_AGGREGATE_LENGTH(Effect.DISCARDED, AttributeCode.ATOMIC_AGGREGATE, "40060100"),
    AGGREGATOR_LENGTH(Effect.DISCARDED, AttributeCode.AGGREGATOR, "c007070000fbf4c00002"),
    AIGP_LENGTH(Effect.DISCARDED, AttributeCode.AIGP, "801a050100050000"),
    AIGP_FLAGS(Effect.DISCARDED, AttributeCode.AIGP, "c01a0b01000b0000000000000001"),
    PREFIX_SID_LENGTH(Effect.DISCARDED, AttributeCode.PREFIX_SID, "c028050100020000"),
    BGP_LS_OVERRUN(Effect.DISCARDED, GeneratedAttributes.NOTHING, "801d0404020009"),
    ORIGIN_TWICE(Effect.DISCARDED, GeneratedAttributes.NOTHING, "40010102"),
    AS_PATH_TWICE(Effect.DISCARDED, GeneratedAttributes.NOTHING, "40020602010000fbf4"),

    /** The route is kept, see {@link DecodeOutcome.Kind#MISSING_NEXT_HOP}. */
    NEXT_HOP_MISSING(Effect.KEPT, AttributeCode.NEXT_HOP, ""),
    /** An unassigned type, 254, with the flags of a well-known attribute. */
    UNRECOGNIZED_WELL_KNOWN(Effect.KEPT, GeneratedAttributes.NOTHING, "40fe0107"),

    BGP_MARKER(MessageType.ROUTE_MONITORING),
    BGP_LENGTH(MessageType.ROUTE_MONITORING),
    BGP_TYPE(MessageType.ROUTE_MONITORING),
    WITHDRAWN_LENGTH(MessageType.ROUTE_MONITORING),
    ATTRIBUTES_LENGTH(MessageType.ROUTE_MONITORING),
    NLRI_LENGTH(MessageType.ROUTE_MONITORING),
    WITHDRAWN_NLRI_LENGTH(MessageType.ROUTE_MONITORING),
    MP_REACH_SHORT("800e0400010104"),
    MP_REACH_NEXT_HOP_LENGTH("800e130002010720010db8000001003020010db80001"),
    MP_REACH_NEXT_HOP_OVERRUN("800e06000201ff0000"),
    MP_UNREACH_SHORT("800f020001"),
    MP_UNREACH_TWICE("800f03000201800f03000201"),
    OVERRUN_WITHOUT_ROUTES("40010500"),
    PER_PEER_HEADER_CUT(MessageType.ROUTE_MONITORING),
    PEER_UP_CUT(MessageType.PEER_UP),
    PEER_DOWN_EMPTY(MessageType.PEER_DOWN),
    STATISTICS_OVERRUN(MessageType.STATISTICS_REPORT),
    MIRRORING_OVERRUN(MessageType.ROUTE_MIRRORING),
    INITIATION_OVERRUN(MessageType.INITIATION);

    /** The effect on the route in the message. */
    public enum Effect {
        /** Treat-as-withdraw: the route is withdrawn. */
        WITHDRAWN,
        /** Attribute-discard: the route is announced without the malformed attribute. */
        DISCARDED,
        /** The route is announced unchanged and the error counted. */
        KEPT,
        /** The whole message is quarantined; the route is unaffected. */
        QUARANTINED
    }

    private final Effect effect;
    private final MessageType messageType;
    private final int omitted;
    private final Bytes attributes;

    Malformation(Effect effect, int omitted, String attributes) {
        this(effect, MessageType.ROUTE_MONITORING, omitted, attributes);
    }

    Malformation(MessageType messageType) {
        this(Effect.QUARANTINED, messageType, GeneratedAttributes.NOTHING, "");
    }

    /** An UPDATE that consists of these attributes only. */
    Malformation(String attributes) {
        this(Effect.QUARANTINED, MessageType.ROUTE_MONITORING, GeneratedAttributes.NOTHING, attributes);
    }

    Malformation(Effect effect, MessageType messageType, int omitted, String attributes) {
        this.effect = effect;
        this.messageType = messageType;
        this.omitted = omitted;
        this.attributes = Bytes.ofHex(attributes);
    }

    public Effect effect() {
        return effect;
    }

    public MessageType messageType() {
        return messageType;
    }

    /** Returns the outcome that the station counts, or null if it quarantines the message. */
    public DecodeOutcome.@Nullable Kind outcome() {
        return switch (effect) {
            case WITHDRAWN -> DecodeOutcome.Kind.TREAT_AS_WITHDRAW;
            case DISCARDED -> DecodeOutcome.Kind.ATTRIBUTE_DISCARD;
            case KEPT ->
                this == NEXT_HOP_MISSING
                        ? DecodeOutcome.Kind.MISSING_NEXT_HOP
                        : DecodeOutcome.Kind.UNRECOGNIZED_WELL_KNOWN;
            case QUARANTINED -> null;
        };
    }

    /**
     * Returns the type of the attribute that the message lacks in its well-formed variant, or
     * {@link GeneratedAttributes#NOTHING}.
     */
    int omitted() {
        return omitted;
    }

    /** Returns the encoded malformed attributes. */
    Bytes attributes() {
        return attributes;
    }

    /** Returns whether it applies only to routes in the UPDATE's own NLRI field, outside MP_REACH_NLRI. */
    boolean needsNlriField() {
        return this == NEXT_HOP_MISSING;
    }
}
