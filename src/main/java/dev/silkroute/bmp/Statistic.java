package dev.silkroute.bmp;

import dev.silkroute.net.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One counter or gauge of a Statistics Report. Its key is (type, AFI, SAFI): types per family come once for each family.
 *
 * @param enterprise the vendor whose own type it is, null for IANA's
 * @param name IANA's statistic in our words, {@code type-N} for others
 * @param afi null unless the statistic is of one family
 * @param safi null unless the statistic is of one family
 * @param value unsigned; null if the value is no number of 1 to 8 bytes, and only {@code rawHex} holds then
 * @param rawHex the value as it came, AFI and SAFI included
 */
public record Statistic(
        int type,
        @Nullable Long enterprise,
        String name,
        @Nullable Integer afi,
        @Nullable Integer safi,
        @Nullable Long value,
        String rawHex) {
    /** {@code u16 AFI | u8 SAFI | u64 gauge}. */
    private static final int PER_FAMILY_LENGTH = 11;

    /** The same with a u32, which is RFC 7854's size for counters and what some routers send. */
    private static final int SHORT_PER_FAMILY_LENGTH = 7;

    private static final int FAMILY_LENGTH = 3;

    static Statistic of(Tlv tlv) {
        if (tlv.enterprise() != null) {
            String name = "enterprise-" + tlv.enterprise() + "-type-" + tlv.type();
            return of(tlv, name, false);
        }
        StatisticType known = StatisticType.of(tlv.type());
        int length = tlv.value().length();
        // A type nobody has told us about is per family if it looks so: no number has 11 bytes.
        boolean perFamily = known == null
                ? length == PER_FAMILY_LENGTH
                : known.perFamily() && (length == PER_FAMILY_LENGTH || length == SHORT_PER_FAMILY_LENGTH);
        return of(tlv, StatisticType.text(tlv.type()), perFamily);
    }

    private static Statistic of(Tlv tlv, String name, boolean perFamily) {
        Bytes raw = tlv.value();
        return new Statistic(
                tlv.type(),
                tlv.enterprise(),
                name,
                perFamily ? Integer.valueOf(raw.u16(0)) : null,
                perFamily ? Integer.valueOf(raw.u8(2)) : null,
                unsigned(raw, perFamily ? FAMILY_LENGTH : 0),
                raw.hex());
    }

    private static @Nullable Long unsigned(Bytes raw, int from) {
        if (raw.length() == from || raw.length() - from > Long.BYTES) {
            return null;
        }
        long value = 0;
        for (int i = from; i < raw.length(); i++) {
            value = value << 8 | raw.u8(i);
        }
        return value;
    }
}
