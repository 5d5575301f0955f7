package dev.silkroute.rpki.rtr;

import dev.silkroute.rpki.Aspa;
import dev.silkroute.rpki.Vrp;

/** A decoded PDU of a cache. */
sealed interface Pdu {
    /** The cache has new data (RFC 8210, Section 5.2). */
    record SerialNotify(int sessionId, int serial) implements Pdu {}

    /** The answer to a query begins (Section 5.5). */
    record CacheResponse(int sessionId) implements Pdu {}

    /** A VRP is announced or withdrawn (Sections 5.6 and 5.7). */
    record Prefix(boolean announcement, Vrp vrp) implements Pdu {}

    /** The answer is complete (Section 5.8). */
    record EndOfData(int sessionId, int serial, Intervals intervals) implements Pdu {}

    /** The cache has no changes since the serial number of the query (Section 5.9). */
    record CacheReset() implements Pdu {}

    /** A BGPsec router key (Section 5.10), which the station does not use. */
    record RouterKey() implements Pdu {}

    /** The ASPA of a customer is announced (draft-ietf-sidrops-8210bis, Section 5.12). It replaces an earlier one. */
    record AspaAnnouncement(Aspa aspa) implements Pdu {}

    /** The ASPA of a customer is withdrawn. */
    record AspaWithdrawal(int customer) implements Pdu {}

    /**
     * The cache reports an error (RFC 8210, Section 5.11).
     *
     * @param version of the PDU, which need not be the negotiated one
     */
    record ErrorReport(int version, ErrorCode code, int number, String text) implements Pdu {}
}
