package dev.silkroute.bmp;

import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code u16 type | u16 length | value}. What a type means depends on the message: Initiation, Termination, Peer Up and Route Mirroring have
 * namespaces of their own (RFC 7854, Section 4.4; RFC 9736).
 */
public record Tlv(int type, Bytes value) {

    /** Everything the cursor has left, as TLVs in their order. */
    static List<Tlv> readAll(ByteCursor cursor) {
        List<Tlv> tlvs = new ArrayList<>();
        while (cursor.hasRemaining()) {
            int type = cursor.u16();
            tlvs.add(new Tlv(type, cursor.bytes(cursor.u16())));
        }
        return List.copyOf(tlvs);
    }

    /** The value as UTF-8; bytes that are not become U+FFFD. */
    public String text() {
        return value.text();
    }
}
