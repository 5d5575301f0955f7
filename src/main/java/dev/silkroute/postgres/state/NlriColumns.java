package dev.silkroute.postgres.state;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.copy.CopiedRow;
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

    private final ByteSink bytes = new ByteSink();
    private int family;
    private boolean hasPathId;

    /** Reads {@link #NAMES} from a column on. */
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
        }
    }

    /** Bits, labels, RD, as many bytes of the prefix as its bits need (RFC 4271, 4.3; RFC 8277; RFC 4364). */
    private void prefix(long rd, byte[] inet, int[] labels) {
        boolean hasRd = Family.safi(family) >= 128;
        int bits = inet[1] & 0xFF;
        bytes.u8(labels.length * BITS_OF_LABEL + (hasRd ? BITS_OF_RD : 0) + bits);
        for (int i = 0; i < labels.length; i++) {
            int entry = labels[i] << 4 | (i == labels.length - 1 ? BOTTOM_OF_STACK : 0);
            bytes.u16(entry >>> 8).u8(entry);
        }
        if (hasRd) {
            bytes.i64(rd);
        }
        bytes.bytes(inet, 4, 4 + (bits + 7) / 8);
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
