package dev.silkroute.app.console;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Writes one result, row by row: no more than a few rows of it are ever held. */
public interface ResultWriter {
    /** Writes all rows of a result that stands before its first. */
    void write(ResultSet rows) throws SQLException, IOException;
}
