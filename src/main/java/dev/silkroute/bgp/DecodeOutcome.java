package dev.silkroute.bgp;

/**
 * Something that is wrong with an UPDATE that was decoded nevertheless.
 *
 * @param attributeType the type of the affected path attribute, -1 without one
 * @param offset absolute offset of the attribute's value in the given array
 * @param section the rule that is violated, such as {@code RFC 7606, Section 7.1}
 */
public record DecodeOutcome(Kind kind, int attributeType, String reason, int offset, String section) {
    public enum Kind {
        /** The attribute is ignored, the routes are kept. */
        ATTRIBUTE_DISCARD("attribute-discard"),
        /** Every announcement of the message is processed as a withdrawal. */
        TREAT_AS_WITHDRAW("treat-as-withdraw"),
        /** AS_PATH has another AS number size than the capabilities or the A flag indicate. */
        AS_SIZE_MISMATCH("as-size-mismatch"),
        /** The NLRI have no path identifiers, although the OPENs have negotiated them. */
        PATH_IDENTIFIERS_MISSING("path-identifiers-missing"),
        /** The NLRI have path identifiers, although the OPENs have not negotiated them. */
        PATH_IDENTIFIERS_UNANNOUNCED("path-identifiers-unannounced"),
        /** Bytes follow the BGP message within its BMP message. */
        TRAILING_BYTES("trailing-bytes"),
        /**
         * Routes of the NLRI field have no NEXT_HOP and are kept without one. RFC 7606 requires treat-as-withdraw, but
         * routers have such routes and report them: FRRouting does for labelled unicast. A monitoring station forwards
         * no packets, and ignoring the routes would hide them.
         */
        MISSING_NEXT_HOP("missing-next-hop"),
        /** An attribute that is marked as well-known and is not; it is kept. */
        UNRECOGNIZED_WELL_KNOWN("unrecognized-well-known");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** The name in metrics. */
        public String text() {
            return text;
        }
    }
}
