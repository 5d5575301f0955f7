package dev.silkroute.bmp;

import dev.silkroute.net.Fault;

/** The reasons why the body of a BMP message cannot be decoded, except for those of the BGP message within it. */
public enum BmpFault implements Fault {
    PER_PEER_HEADER("message ends within the per-peer header", "RFC 7854, Section 4.2"),
    TOO_MANY_TLVS("more than %s TLVs", "RFC 7854, Section 4.4"),
    TOO_MANY_MIRRORED("more than %s TLVs of mirrored messages", "RFC 7854, Section 4.7"),
    MISSING_STATISTICS("%s statistics announced, %s present", "RFC 7854, Section 4.8"),
    TLV_HEADER("message ends within a TLV header", IndexedTlvs.SECTION),
    TLV_LENGTH("TLV of %s bytes extends past the end of the message", IndexedTlvs.SECTION),
    NO_UPDATE("no BGP Message TLV", IndexedTlvs.SECTION),
    SECOND_UPDATE("second BGP Message TLV", IndexedTlvs.SECTION),
    NO_STATISTICS("no Stats TLV", "draft-ietf-grow-bmp-tlv-20, Section 5.4"),
    TOO_MANY_PEERS("the session has its limit of %s peers", "RFC 7854, Section 4.2"),
    TOO_MANY_PEERS_WITH_ADDRESS("the session has its limit of %s peers with this address", "RFC 7854, Section 4.2");

    private final Description description;

    BmpFault(String reason, String section) {
        description = new Description(reason, section);
    }

    @Override
    public Description description() {
        return description;
    }
}
