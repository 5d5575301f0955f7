package dev.silkroute.bmp;

import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code u16 type | u16 length | value}. What a type means depends on the message: Initiation, Termination, Peer Up and Route Mirroring have
 * namespaces of their own (RFC 7854, Section 4.4; RFC 9736).
 *
 * <p>In BMP version 4 the highest bit of the type says that it is a vendor's own, and the value then begins with the vendor's number
 * (draft-ietf-grow-bmp-tlv, Section 4.2).
 *
 * @param type without that bit
 * @param enterprise the vendor's IANA Private Enterprise Number, null for types that are IANA's
 * @param value without that number
 */
public record Tlv(int type, @Nullable Long enterprise, Bytes value) {
    /**
     * Most TLVs of one message. A legal message has some dozens, a Statistics Report one for each type and family; without a bound, a
     * message of empty ones would become a record many times its size.
     */
    static final int MOST = 4096;

    static final int ENTERPRISE_BIT = 0x8000;
    static final int ENTERPRISE_LENGTH = 4;

    /** Reserved: it is no enterprise type although it has the bit. */
    private static final int RESERVED = 0xFFFF;

    public Tlv(int type, Bytes value) {
        this(type, null, value);
    }

    /** Everything the cursor has left, as TLVs in their order. */
    static List<Tlv> readAll(ByteCursor cursor, int version) {
        List<Tlv> tlvs = new ArrayList<>();
        while (cursor.hasRemaining()) {
            if (tlvs.size() == MOST) {
                throw cursor.fault("more than " + MOST + " TLVs");
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

    /** A type with the bit whose value is too short for a number stays what it is: a type that nobody knows. */
    static boolean isEnterprise(int type, int length, int version) {
        return version >= BmpMessages.VERSION_4
                && (type & ENTERPRISE_BIT) != 0
                && type != RESERVED
                && length >= ENTERPRISE_LENGTH;
    }

    /** Whether it is IANA's TLV of this type. */
    public boolean is(int wanted) {
        return type == wanted && enterprise == null;
    }

    /** The value as UTF-8; bytes that are not become U+FFFD. */
    public String text() {
        return value.text();
    }

    static List<String> texts(List<Tlv> tlvs, int type) {
        return tlvs.stream().filter(tlv -> tlv.is(type)).map(Tlv::text).toList();
    }
}
