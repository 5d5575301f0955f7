package dev.silkroute.postgres.state;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.postgres.copy.CopiedRow;
import java.util.Arrays;
import java.util.Objects;

/**
 * The NLRI of rows of {@code bmp.rib_route}, written as BGP writes it. One object serves all rows, one after the other.
 */
final class NlriColumns {
    /** The columns of a row {@code r}. A prefix has no other bytes. */
    static final String NAMES = "r.family, r.rd, nullif(r.path_id, -1), inet_send(r.prefix::inet),"
            + " CASE WHEN r.nlri <> '' THEN coalesce(r.long_nlri, r.nlri) END, r.labels";

    private static final int BITS_OF_LABEL = 24;
    private static final int BITS_OF_RD = 64;
    private static final int BOTTOM_OF_STACK = 1;
    private static final int MAX_BITS = 255;

    // Offsets in the result of inet_send, whose first byte is the address family
    private static final int IPV6 = 3;
    private static final int PREFIX_LENGTH = 1;
    private static final int ADDRESS = 4;

    private final ByteSink bytes = new ByteSink();
    private final NlriReader check = new NlriReader();
    private int family;
    private boolean hasPathId;

    /**
     * Reads {@link #NAMES} from a column on.
     *
     * @throws InvalidRowException if they are not an NLRI of the family
     */
    void read(CopiedRow row, int column) {
        family = row.integer(column);
        hasPathId = !row.isNull(column + 2);
        bytes.reset();
        if (hasPathId) {
            bytes.u32((int) row.number(column + 2));
        }
        byte[] whole = row.bytes(column + 4);
        if (whole == null) {
            prefix(row.number(column + 1), Objects.requireNonNull(row.bytes(column + 3)), row.integers(column + 5));
        } else {
            bytes.bytes(whole, 0, whole.length);
            readAgain();
        }
    }

    /** Returns the route that a row describes, for messages, even if it is not an NLRI of the family. */
    static String text(CopiedRow row, int column) {
        byte[] whole = row.bytes(column + 4);
        byte[] inet = Objects.requireNonNull(row.bytes(column + 3));
        return Family.text(row.integer(column))
                + (whole == null ? " prefix " + prefix(inet) : " NLRI " + Hex.of(whole, 0, whole.length));
    }

    private static IpPrefix prefix(byte[] inet) {
        boolean ipv6 = inet[0] == IPV6;
        return new IpPrefix(
                ipv6,
                ipv6 ? BigEndian.i64(inet, ADDRESS) : 0,
                ipv6 ? BigEndian.i64(inet, ADDRESS + Long.BYTES) : BigEndian.u32(inet, ADDRESS),
                inet[PREFIX_LENGTH] & 0xFF);
    }

    /** Bits, labels, RD, as many bytes of the prefix as its bits need (RFC 4271, 4.3; RFC 8277; RFC 4364). */
    private void prefix(long rd, byte[] inet, int[] labels) {
        boolean hasRd = Family.safi(family) >= 128;
        int bits = inet[PREFIX_LENGTH] & 0xFF;
        int allBits = labels.length * BITS_OF_LABEL + (hasRd ? BITS_OF_RD : 0) + bits;
        if (allBits > MAX_BITS) {
            throw new InvalidRowException(labels.length + " labels are more than an NLRI can hold");
        }
        bytes.u8(allBits);
        for (int i = 0; i < labels.length; i++) {
            int entry = labels[i] << 4 | (i == labels.length - 1 ? BOTTOM_OF_STACK : 0);
            bytes.u16(entry >>> 8).u8(entry);
        }
        if (hasRd) {
            bytes.i64(rd);
        }
        bytes.bytes(inet, ADDRESS, ADDRESS + (bits + 7) / 8);
        readAgain();
        boolean isSame = check.isPrefix()
                && check.ipv6() == (inet[0] == IPV6)
                && check.prefixLength() == bits
                && check.labelCount() == labels.length;
        for (int i = 0; isSame && i < labels.length; i++) {
            isSame = check.label(i) == labels[i];
        }
        if (!isSame) {
            throw new InvalidRowException("a prefix with the labels " + Arrays.toString(labels)
                    + " is not an NLRI of the family " + Family.text(family));
        }
    }

    /** Reads what has been written as the receiver of a route batch does. */
    private void readAgain() {
        try {
            check.read(family, bytes.array(), 0, bytes.position(), hasPathId, false);
        } catch (DecodeException e) {
            throw new InvalidRowException(e.reason());
        }
        if (check.to() != bytes.position()) {
            throw new InvalidRowException("its NLRI is followed by " + (bytes.position() - check.to()) + " bytes");
        }
    }

    int family() {
        return family;
    }

    /** Returns whether the bytes begin with a path identifier (RFC 7911). */
    boolean hasPathId() {
        return hasPathId;
    }

    /** The bytes lie at the beginning, {@link #length} of them, until the next row is read. */
    byte[] array() {
        return bytes.array();
    }

    int length() {
        return bytes.position();
    }
}
