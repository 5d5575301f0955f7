package dev.silkroute.bmp;

import dev.silkroute.net.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One counter or gauge of a Statistics Report. Its key is (type, AFI, SAFI): types per family come once for each family.
 *
 * @param name IANA's statistic in our words, {@code type-N} for others
 * @param afi null unless the statistic is of one family
 * @param safi null unless the statistic is of one family
 * @param value unsigned; 0 if the router sent no number of 1 to 8 bytes, and only {@code rawHex} holds then
 * @param rawHex the value as it came, AFI and SAFI included
 */
public record Statistic(
        int type,
        String name,
        @Nullable Integer afi,
        @Nullable Integer safi,
        long value,
        String rawHex) {
    /** {@code u16 AFI | u8 SAFI | u64 value}. */
    private static final int PER_FAMILY_LENGTH = 11;

    private static final int FAMILY_LENGTH = 3;

    static Statistic of(int type, Bytes raw) {
        StatisticType known = StatisticType.of(type);
        // A type nobody has told us about is per family if it looks so: no number has 11 bytes.
        boolean perFamily = raw.length() == PER_FAMILY_LENGTH && (known == null || known.perFamily());
        return new Statistic(
                type,
                StatisticType.text(type),
                perFamily ? Integer.valueOf(raw.u16(0)) : null,
                perFamily ? Integer.valueOf(raw.u8(2)) : null,
                unsigned(raw, perFamily ? FAMILY_LENGTH : 0),
                raw.hex());
    }

    private static long unsigned(Bytes raw, int from) {
        if (raw.length() - from > Long.BYTES) {
            return 0;
        }
        long value = 0;
        for (int i = from; i < raw.length(); i++) {
            value = value << 8 | raw.u8(i);
        }
        return value;
    }
}
