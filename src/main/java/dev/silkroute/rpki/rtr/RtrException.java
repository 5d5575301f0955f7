package dev.silkroute.rpki.rtr;

/** A violation of the protocol by the cache, for which it receives an Error Report. */
public final class RtrException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient byte[] pdu;

    /** @param pdu the erroneous PDU, or at least its header, for the Error Report */
    RtrException(ErrorCode code, byte[] pdu, String message) {
        super(message);
        this.code = code;
        this.pdu = pdu;
    }

    public ErrorCode code() {
        return code;
    }

    byte[] pdu() {
        return pdu;
    }
}
