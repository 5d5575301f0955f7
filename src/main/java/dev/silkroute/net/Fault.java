package dev.silkroute.net;

/**
 * A rule of a specification that received bytes can violate so that they cannot be decoded. Enums implement it, one for
 * each layer, so that the list of reasons in {@code docs/reference/decoding-errors.md} is complete.
 */
public interface Fault {
    /**
     * The text of a fault.
     *
     * @param reason what is wrong, with a {@code %s} for each value that depends on the message
     * @param section the rule that is violated, such as {@code RFC 4271, Section 4.3}
     */
    record Description(String reason, String section) {}

    Description description();

    /**
     * Returns an exception for this fault.
     *
     * @param offset absolute offset of the offending byte in the array that is decoded
     * @param values the values of the reason, in order
     */
    default DecodeException at(int offset, Object... values) {
        String reason = description().reason();
        return new DecodeException(
                values.length == 0 ? reason : reason.formatted(values),
                offset,
                description().section());
    }
}
