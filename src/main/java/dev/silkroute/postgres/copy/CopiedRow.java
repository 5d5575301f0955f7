package dev.silkroute.postgres.copy;

import dev.silkroute.net.BigEndian;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyInputStream;

/**
 * A row of a query, read by COPY in its binary format. One object serves all rows, one after the other. Unlike with a
 * cursor, rows arrive while PostgreSQL produces the next ones, and the query may run in parallel. Columns count from 1,
 * as in JDBC. Not thread-safe.
 *
 * <pre>
 * 11 bytes signature | u32 flags | u32 length of header extension |
 * rows: u16 number of fields, for each field i32 length (-1 for null) and value | u16 0xFFFF
 * </pre>
 *
 * Source: PostgreSQL documentation, COPY, "Binary Format".
 */
public final class CopiedRow {
    private static final int SIGNATURE = 11;
    private static final int BUFFER = 1 << 16;
    /** Dimensions, whether there are nulls, type, then size and lower bound of the one dimension. */
    private static final int ARRAY_HEADER = 20;

    private byte[] values = new byte[1024];
    /** The start of each column's value, and the end of the last one. */
    private int[] starts = new int[32];

    private boolean[] nulls = new boolean[32];

    private CopiedRow() {}

    /** @param query without parameters */
    public static void read(Connection connection, String query, Consumer<CopiedRow> each) throws SQLException {
        CopiedRow row = new CopiedRow();
        String copy = "COPY (" + query + ") TO STDOUT (FORMAT binary)";
        try (DataInputStream in = new DataInputStream(
                new BufferedInputStream(new PGCopyInputStream(connection.unwrap(PGConnection.class), copy), BUFFER))) {
            in.skipNBytes(SIGNATURE + Integer.BYTES);
            in.skipNBytes(in.readInt());
            row.readAll(in, each);
        } catch (IOException e) {
            throw e.getCause() instanceof SQLException sql ? sql : new SQLException("rows cannot be read", e);
        }
    }

    /** Reports a failure at the end: a COPY cannot be left early, so the remaining rows are read first. */
    private void readAll(DataInputStream in, Consumer<CopiedRow> each) throws IOException {
        RuntimeException failure = null;
        while (next(in)) {
            if (failure == null) {
                try {
                    each.accept(this);
                } catch (RuntimeException e) {
                    failure = e;
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private boolean next(DataInputStream in) throws IOException {
        int fields = in.readShort();
        if (fields < 0) {
            return false;
        }
        if (starts.length <= fields) {
            starts = new int[fields + 1];
            nulls = new boolean[fields + 1];
        }
        int at = 0;
        for (int i = 0; i < fields; i++) {
            int length = in.readInt();
            nulls[i] = length < 0;
            starts[i] = at;
            if (length > 0) {
                if (values.length - at < length) {
                    values = Arrays.copyOf(values, Math.max(at + length, 2 * values.length));
                }
                in.readFully(values, at, length);
                at += length;
            }
        }
        starts[fields] = at;
        return true;
    }

    public boolean isNull(int column) {
        return nulls[column - 1];
    }

    /** A smallint, integer or bigint. */
    public long number(int column) {
        int at = starts[column - 1];
        return switch (starts[column] - at) {
            case Short.BYTES -> (short) BigEndian.u16(values, at);
            case Integer.BYTES -> BigEndian.i32(values, at);
            case Long.BYTES -> BigEndian.i64(values, at);
            default -> throw new IllegalStateException("column " + column + " is no number");
        };
    }

    /** A smallint or integer. */
    public int integer(int column) {
        return Math.toIntExact(number(column));
    }

    public boolean bool(int column) {
        return values[starts[column - 1]] != 0;
    }

    public String text(int column) {
        int at = starts[column - 1];
        return new String(values, at, starts[column] - at, StandardCharsets.UTF_8);
    }

    public byte @Nullable [] bytes(int column) {
        return isNull(column) ? null : Arrays.copyOfRange(values, starts[column - 1], starts[column]);
    }

    /** An array of integers of one dimension without nulls; none is an array of none. */
    public int[] integers(int column) {
        int from = starts[column - 1] + ARRAY_HEADER;
        int[] integers = new int[Math.max(0, starts[column] - from) / (2 * Integer.BYTES)];
        for (int i = 0; i < integers.length; i++) {
            // Each has its length before it.
            integers[i] = BigEndian.i32(values, from + (2 * i + 1) * Integer.BYTES);
        }
        return integers;
    }
}
