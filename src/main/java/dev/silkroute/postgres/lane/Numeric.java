package dev.silkroute.postgres.lane;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL's binary numeric: 16-bit fields count of digits, weight of the first one, sign (0x4000: negative), digits after
 * the point as displayed, then the digits to base 10,000.
 */
final class Numeric {
    private static final BigInteger BASE = BigInteger.valueOf(10_000);
    private static final int DIGITS = 4;
    private static final int NEGATIVE = 0x4000;
    private static final int MAX_SCALE = 16_383;

    private Numeric() {}

    static byte[] bytes(BigDecimal value) {
        BigDecimal plain = value.scale() < 0 ? value.setScale(0) : value;
        if (plain.scale() > MAX_SCALE) {
            throw new IllegalArgumentException("more than " + MAX_SCALE + " digits after the point");
        }
        int groupsAfterPoint = (plain.scale() + DIGITS - 1) / DIGITS;
        BigInteger left =
                plain.unscaledValue().abs().multiply(BigInteger.TEN.pow(groupsAfterPoint * DIGITS - plain.scale()));
        List<Integer> digits = new ArrayList<>();
        while (left.signum() != 0) {
            BigInteger[] parts = left.divideAndRemainder(BASE);
            digits.addFirst(parts[1].intValue());
            left = parts[0];
        }
        int weight = digits.size() - groupsAfterPoint - 1;
        while (!digits.isEmpty() && digits.getLast() == 0) {
            digits.removeLast();
        }
        byte[] bytes = new byte[8 + digits.size() * 2];
        put(bytes, 0, digits.size());
        put(bytes, 2, digits.isEmpty() ? 0 : weight);
        put(bytes, 4, plain.signum() < 0 ? NEGATIVE : 0);
        put(bytes, 6, plain.scale());
        for (int i = 0; i < digits.size(); i++) {
            put(bytes, 8 + i * 2, digits.get(i));
        }
        return bytes;
    }

    private static void put(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >> 8);
        bytes[at + 1] = (byte) value;
    }
}
