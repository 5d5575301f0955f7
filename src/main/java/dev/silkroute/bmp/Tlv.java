package dev.silkroute.bmp;

import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.Bytes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A TLV: {@code u16 type | u16 length | value} (RFC 7854, Section 4.4). What a type means depends on the message, see
 * {@link TlvSpace}.
 *
 * <p>In BMP version 4 the highest bit of the type marks a vendor's own type, whose value begins with the vendor's
 * number (draft-ietf-grow-bmp-tlv, Section 4.2).
 *
 * @param type without that bit
 * @param enterprise the vendor's IANA Private Enterprise Number, null for types assigned by IANA
 * @param value without that number
 */
public record Tlv(int type, @Nullable Long enterprise, Bytes value) {
    /**
     * Maximum TLVs of one message. A legal message has some dozens, a Statistics Report one per type and family;
     * without a bound, a message full of empty TLVs would become a record many times its size.
     */
    static final int MAX_COUNT = 4096;

    static final int ENTERPRISE_BIT = 0x8000;
    static final int ENTERPRISE_LENGTH = 4;

    /** A reserved type, which is not a vendor's although it has the bit. */
    private static final int RESERVED = 0xFFFF;

    public Tlv(int type, Bytes value) {
        this(type, null, value);
    }

    /** Reads everything that the cursor has left, as TLVs in their order. */
    static List<Tlv> readAll(ByteCursor cursor, int version) {
        List<Tlv> tlvs = new ArrayList<>();
        while (cursor.hasRemaining()) {
            if (tlvs.size() == MAX_COUNT) {
                throw BmpFault.TOO_MANY_TLVS.at(cursor.position(), MAX_COUNT);
            }
            int type = cursor.u16();
            int length = cursor.u16();
            if (isEnterprise(type, length, version)) {
                long enterprise = cursor.u32();
                tlvs.add(new Tlv(type & ~ENTERPRISE_BIT, enterprise, cursor.bytes(length - ENTERPRISE_LENGTH)));
            } else {
                tlvs.add(new Tlv(type, cursor.bytes(length)));
            }
        }
        return List.copyOf(tlvs);
    }

    /**
     * Returns whether a type is a vendor's own. With a value too short for the vendor's number it is an unknown type
     * instead.
     */
    static boolean isEnterprise(int type, int length, int version) {
        return version >= BmpMessages.VERSION_4
                && (type & ENTERPRISE_BIT) != 0
                && type != RESERVED
                && length >= ENTERPRISE_LENGTH;
    }

    /** Returns whether this is the type with this code that IANA has assigned. */
    public boolean is(int code) {
        return type == code && enterprise == null;
    }

    /** Returns the value as UTF-8, malformed bytes replaced by U+FFFD. */
    public String text() {
        return value.text();
    }

    /** Returns the first TLV of a type. */
    public static Optional<Tlv> first(List<Tlv> tlvs, TlvType type) {
        return tlvs.stream().filter(type::matches).findFirst();
    }

    /** Returns the texts of all TLVs of a type, in their order. */
    public static List<String> texts(List<Tlv> tlvs, TlvType type) {
        return tlvs.stream().filter(type::matches).map(Tlv::text).toList();
    }

    /**
     * Returns the TLVs of unknown types, those with invalid values, and repetitions of a type that must not be
     * repeated.
     */
    public static List<Tlv> others(List<Tlv> tlvs, TlvSpace space) {
        List<TlvType> types = TlvType.of(space);
        Set<TlvType> seen = EnumSet.noneOf(TlvType.class);
        List<Tlv> others = new ArrayList<>();
        for (Tlv tlv : tlvs) {
            TlvType type = types.stream()
                    .filter(known -> known.matches(tlv))
                    .findFirst()
                    .orElse(null);
            if (type == null || type.form() != TlvType.Form.TEXTS && !seen.add(type)) {
                others.add(tlv);
            }
        }
        return others;
    }
}
