package dev.silkroute.app.console;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Writes the result of a query row by row, in bounded memory however many rows there are. */
public interface ResultWriter {
    /** Writes all rows of a result that is positioned before its first row. */
    void write(ResultSet rows) throws SQLException, IOException;
}
