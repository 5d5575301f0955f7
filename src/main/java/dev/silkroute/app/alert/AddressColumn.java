package dev.silkroute.app.alert;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.postgres.copy.CopiedRow;

/** A column with the result of {@code inet_send}, as the text that records contain. */
final class AddressColumn {
    /** The offset of the address, after a header of four bytes. */
    private static final int ADDRESS_AT = 4;

    private AddressColumn() {}

    /** Returns the address; empty if it is null. */
    static String text(CopiedRow row, int column) {
        byte[] address = row.bytes(column);
        if (address == null) {
            return "";
        }
        boolean ipv6 = address.length > ADDRESS_AT + Integer.BYTES;
        return Addresses.text(
                ipv6,
                ipv6 ? BigEndian.i64(address, ADDRESS_AT) : 0,
                ipv6 ? BigEndian.i64(address, ADDRESS_AT + Long.BYTES) : BigEndian.u32(address, ADDRESS_AT));
    }
}
