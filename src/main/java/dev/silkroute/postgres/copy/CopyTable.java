package dev.silkroute.postgres.copy;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * A binary COPY into a table. {@link #row} begins a row and first sends the rows before it if they fill the buffer;
 * {@link #finish()} ends the command. Closing it unfinished cancels the command and aborts the transaction.
 */
public final class CopyTable implements AutoCloseable {
    private static final int SEND_AT = 1 << 16;

    private final CopyIn copy;
    private final CopyBinary rows = new CopyBinary(SEND_AT + (1 << 14));
    private long count;

    private CopyTable(CopyIn copy) {
        this.copy = copy;
        rows.header();
    }

    /** Begins a COPY into a table and its columns, such as {@code table (a, b)}. */
    public static CopyTable into(Connection connection, String target) throws SQLException {
        return new CopyTable(connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY " + target + " FROM STDIN (FORMAT binary)"));
    }

    /** Begins a row: see {@link CopyBinary#row}. */
    public CopyBinary row(int fields) throws SQLException {
        if (rows.length() >= SEND_AT) {
            send();
        }
        count++;
        rows.row(fields);
        return rows;
    }

    /** Sends encoded rows, which {@link #finish} does not count. */
    public void rows(CopyBinary encoded) throws SQLException {
        send();
        copy.writeToCopy(encoded.array(), 0, encoded.length());
    }

    /** Ends the command and returns the number of rows begun by {@link #row}. */
    public long finish() throws SQLException {
        rows.trailer();
        send();
        copy.endCopy();
        return count;
    }

    private void send() throws SQLException {
        copy.writeToCopy(rows.array(), 0, rows.length());
        rows.clear();
    }

    @Override
    public void close() throws SQLException {
        if (copy.isActive()) {
            copy.cancelCopy();
        }
    }
}
