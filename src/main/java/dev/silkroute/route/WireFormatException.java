package dev.silkroute.route;

/** A record is not a valid {@link RouteBatch}; carries the reason and the offset of the offending byte. */
public final class WireFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final int offset;

    public WireFormatException(String reason, int offset) {
        super(reason + " at offset " + offset);
        this.reason = reason;
        this.offset = offset;
    }

    public String reason() {
        return reason;
    }

    /** Offset in bytes from the start of the record. */
    public int offset() {
        return offset;
    }
}
