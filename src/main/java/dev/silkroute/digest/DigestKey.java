package dev.silkroute.digest;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The key of the hashes of one comparison. It is random, so that no router can choose routes whose hashes cancel each
 * other out.
 */
public record DigestKey(long first, long second) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final HexFormat HEX = HexFormat.of();
    private static final int DIGITS = 32;
    private static final Pattern TEXT = Pattern.compile("[0-9a-f]{" + DIGITS + "}");

    public static DigestKey random() {
        return new DigestKey(RANDOM.nextLong(), RANDOM.nextLong());
    }

    /** @throws IllegalArgumentException if the text is not 32 hexadecimal digits */
    public static DigestKey parse(String text) {
        if (!TEXT.matcher(text).matches()) {
            throw new IllegalArgumentException("must be " + DIGITS + " hexadecimal digits, not '" + text + "'");
        }
        return new DigestKey(
                HexFormat.fromHexDigitsToLong(text, 0, DIGITS / 2),
                HexFormat.fromHexDigitsToLong(text, DIGITS / 2, DIGITS));
    }

    /** Returns the key as 32 hexadecimal digits. */
    public String text() {
        return HEX.toHexDigits(first) + HEX.toHexDigits(second);
    }
}
