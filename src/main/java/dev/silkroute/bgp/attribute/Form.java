package dev.silkroute.bgp.attribute;

import org.jspecify.annotations.Nullable;

/** The form of an attribute's value: a length, a list of values of the same size, or a check of its own. */
final class Form {
    /** Every value fits. */
    static final Form ANY = new Form(Kind.ANY, 0, null);

    private static final int MAX_LENGTH = 0xFFFF;

    @FunctionalInterface
    interface Check {
        boolean fits(byte[] b, int from, int to);
    }

    private enum Kind {
        ANY,
        LENGTH,
        /** Values whose size is a power of two, so that no division is needed. */
        POWER_OF_TWO_LIST,
        LIST,
        CHECKED
    }

    private final Kind kind;
    private final int size;
    private final @Nullable Check check;

    private Form(Kind kind, int size, @Nullable Check check) {
        this.kind = kind;
        this.size = size;
        this.check = check;
    }

    /** Exactly this many bytes. */
    static Form length(int bytes) {
        return new Form(Kind.LENGTH, bytes, null);
    }

    /** At least one value of this many bytes. */
    static Form list(int valueBytes) {
        return new Form(Integer.bitCount(valueBytes) == 1 ? Kind.POWER_OF_TWO_LIST : Kind.LIST, valueBytes, null);
    }

    /** Whatever passes the check, which must not allocate. */
    static Form checked(Check check) {
        return new Form(Kind.CHECKED, 0, check);
    }

    /**
     * Returns the lengths that fit whatever the bytes are, so that the decoder validates most attributes by one number:
     * {@code u16 maximum | u16 minimum | u16 mask}, where a length that fits has no bit of the mask. A form that is not
     * decided by the length alone has a minimum above its maximum.
     */
    long lengths() {
        return switch (kind) {
            case ANY -> lengths(MAX_LENGTH, 0, 0);
            case LENGTH -> lengths(size, size, 0);
            case POWER_OF_TWO_LIST -> lengths(MAX_LENGTH, 1, size - 1);
            case LIST, CHECKED -> lengths(0, 1, 0);
        };
    }

    private static long lengths(int max, int min, int mask) {
        return (long) max << 32 | (long) min << 16 | mask;
    }

    /** Returns whether a length is one of {@link #lengths}. */
    static boolean fits(long lengths, int length) {
        return length <= lengths >>> 32
                && length >= (lengths >>> 16 & MAX_LENGTH)
                && (length & lengths & MAX_LENGTH) == 0;
    }

    /** Returns whether a value has this form. */
    boolean fits(byte[] b, int from, int to) {
        int length = to - from;
        return switch (kind) {
            case ANY -> true;
            case LENGTH -> length == size;
            case POWER_OF_TWO_LIST -> length > 0 && (length & size - 1) == 0;
            case LIST -> length > 0 && length % size == 0;
            case CHECKED -> check == null || check.fits(b, from, to);
        };
    }
}
