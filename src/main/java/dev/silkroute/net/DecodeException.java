package dev.silkroute.net;

/**
 * Bytes that are not what their protocol says.
 *
 * <p>Stackless: bad input is a value to us, and a router can send a million of them. The offset is absolute in the array that was given
 * to the decoder.
 */
public final class DecodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final int offset;
    private final String section;

    /**
     * @param reason what is wrong, in a few words, without the offset
     * @param offset absolute offset of the offending byte in the given array
     * @param section the rule that is broken, such as {@code RFC 4271, Section 4.3}
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
