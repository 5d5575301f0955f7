package dev.silkroute.bgp;

/**
 * What was wrong with an UPDATE that could be decoded all the same.
 *
 * @param attributeType the path attribute it is about, -1 if about none
 * @param offset absolute offset of the attribute's value in the given array
 * @param section the rule, such as {@code RFC 7606, Section 7.1}
 */
public record Outcome(Kind kind, int attributeType, String reason, int offset, String section) {
    public enum Kind {
        /** The attribute is left out, the routes stay. */
        ATTRIBUTE_DISCARD("attribute-discard"),
        /** Every announcement of the message became a withdrawal. */
        TREAT_AS_WITHDRAW("treat-as-withdraw"),
        /** AS_PATH has the other AS number size than the capabilities or the A flag say. */
        AS_SIZE_MISMATCH("as-size-mismatch"),
        /** No path identifiers in NLRI whose OPENs agree on them. */
        PATH_IDENTIFIERS_MISSING("path-identifiers-missing"),
        /** Path identifiers in NLRI whose OPENs do not agree on them. */
        PATH_IDENTIFIERS_UNANNOUNCED("path-identifiers-unannounced"),
        /** Bytes follow the BGP message within its BMP message. */
        TRAILING_BYTES("trailing-bytes"),
        /**
         * Routes of the NLRI field came without NEXT_HOP and are kept without one. RFC 7606 says treat-as-withdraw, but
         * routers do hold these routes and send them so: FRRouting does with labelled unicast. We forward no packets,
         * and dropping them would hide real state.
         */
        MISSING_NEXT_HOP("missing-next-hop"),
        /** An attribute that calls itself well-known and is not; kept as it came. */
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
