package dev.silkroute.net;

/**
 * Signals bytes that violate their protocol's specification.
 *
 * <p>It has no stack trace, because a router can send millions of malformed messages. The offset is absolute in the
 * array that was passed to the decoder.
 */
public final class DecodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final int offset;
    private final String section;

    /**
     * @param reason what is wrong, without the offset
     * @param offset absolute offset of the offending byte in the given array
     * @param section the rule that is violated, such as {@code RFC 4271, Section 4.3}
     */
    public DecodeException(String reason, int offset, String section) {
        super(null, null, false, false);
        this.reason = reason;
        this.offset = offset;
        this.section = section;
    }

    public String reason() {
        return reason;
    }

    public int offset() {
        return offset;
    }

    public String section() {
        return section;
    }

    @Override
    public String getMessage() {
        return reason + " at offset " + offset + " (" + section + ")";
    }
}
