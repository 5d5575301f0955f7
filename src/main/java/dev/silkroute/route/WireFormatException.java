package dev.silkroute.route;

/** A record that is no {@link RouteBatch}: what is wrong, and at which byte of it. */
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
