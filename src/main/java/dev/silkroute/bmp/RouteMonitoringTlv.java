package dev.silkroute.bmp;

/** What the TLVs of a Route Monitoring message of version 4 are (draft-ietf-grow-bmp-tlv, Section 5.2; -path-marking-tlv, Section 2). */
public enum RouteMonitoringTlv {
    /** The UPDATE itself; there must be one. */
    BGP_MESSAGE,
    /** Gives several NLRI one index. */
    GROUP,
    /** Name of the VRF or table, UTF-8. */
    TABLE_NAME,
    /** A BGP capability that the UPDATE is encoded with: {@code u8 code | u8 length | value}. */
    STATELESS_PARSING,
    /** {@code u32 status bitmap | u16 reason, optional}. */
    PATH_MARKING,
    /** {@code u64}, the message's number within the session. */
    SEQUENCE_NUMBER,
    /** The flags of the per-peer header and room for more. */
    EXTENDED_FLAGS,
    /** {@code u8 what of | u32 seconds | u32 microseconds}. */
    TIMESTAMP,
    /** A type without a meaning here, or a vendor's own. */
    UNKNOWN,
    /** A known type whose value is not what it should be: ignored, and counted. */
    MISSHAPEN
}
