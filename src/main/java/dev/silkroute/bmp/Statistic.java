package dev.silkroute.bmp;

import dev.silkroute.net.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One counter or gauge of a Statistics Report. Its key is (type, AFI, SAFI): a report contains types per family once
 * for each family.
 *
 * @param enterprise the vendor's IANA Private Enterprise Number, null for types assigned by IANA
 * @param name see {@link StatisticType}; {@code type-N} for unknown types
 * @param afi null unless the type is per family
 * @param safi null unless the type is per family
 * @param value unsigned; null if the value is not a number of 1 to 8 bytes
 * @param rawHex the whole value of the TLV, including AFI and SAFI
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

    /** {@code u16 AFI | u8 SAFI | u32 counter}, as some routers send it. */
    private static final int SHORT_PER_FAMILY_LENGTH = 7;

    private static final int FAMILY_LENGTH = 3;

    static Statistic of(Tlv tlv) {
        if (tlv.enterprise() != null) {
            String name = "enterprise-" + tlv.enterprise() + "-type-" + tlv.type();
            return of(tlv, name, false);
        }
        StatisticType known = StatisticType.of(tlv.type());
        int length = tlv.value().length();
        // An unknown type is per family if its value has that length: no number has 11 bytes.
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
