package dev.silkroute.bgp.nlri;

import java.util.HexFormat;

/**
 * An NLRI's text as words: possibly a type, then {@code name=value} words, one space between two of them. Every complaint is an
 * {@link IllegalArgumentException} that quotes the text.
 */
final class NlriTokens {
    private final String text;
    private final String[] words;
    private int next;

    NlriTokens(String text) {
        this.text = text;
        words = text.split(" ", -1);
    }

    boolean atEnd() {
        return next == words.length;
    }

    /** The next word as it is. */
    String word() {
        if (atEnd()) {
            throw fault("ends too early");
        }
        return words[next++];
    }

    /** Whether a field of this name is next. */
    boolean has(String name) {
        return !atEnd() && words[next].startsWith(name) && words[next].startsWith("=", name.length());
    }

    /** The value of the next field, which must have this name. */
    String value(String name) {
        if (!has(name)) {
            throw fault(name + "= is missing");
        }
        return words[next++].substring(name.length() + 1);
    }

    /** The next field's name, its value is what {@link #value} gives. */
    String name() {
        String word = atEnd() ? "" : words[next];
        int equals = word.indexOf('=');
        if (equals < 0) {
            throw fault("name=value expected");
        }
        return word.substring(0, equals);
    }

    /** A position that {@link #reset} goes back to. */
    int mark() {
        return next;
    }

    void reset(int mark) {
        next = mark;
    }

    void end() {
        if (!atEnd()) {
            throw fault("more than expected, from " + words[next]);
        }
    }

    IllegalArgumentException fault(String reason) {
        return new IllegalArgumentException(reason + " in NLRI \"" + text + '"');
    }

    /** A decimal number up to {@code max}, unsigned. */
    static long number(String digits, long max) {
        if (digits.isEmpty() || digits.charAt(0) == '+') {
            throw new IllegalArgumentException("no number: " + digits);
        }
        long value = Long.parseUnsignedLong(digits);
        if (Long.compareUnsigned(value, max) > 0) {
            throw new IllegalArgumentException(digits + " is above " + Long.toUnsignedString(max));
        }
        return value;
    }

    /** The bytes of {@code 0x0a0b}. */
    static byte[] hex(String value) {
        if (!value.startsWith("0x")) {
            throw new IllegalArgumentException("0x and hex digits expected: " + value);
        }
        return HexFormat.of().parseHex(value, 2, value.length());
    }
}
