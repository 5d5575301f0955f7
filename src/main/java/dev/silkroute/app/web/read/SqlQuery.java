package dev.silkroute.app.web.read;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement under construction, with the values of its parameters. Not thread-safe. */
final class SqlQuery {
    private final StringBuilder text = new StringBuilder();
    private final List<@Nullable Object> parameters = new ArrayList<>();

    /**
     * Appends SQL and the values of the parameters in it.
     *
     * @param sql must not contain anything that a client has sent
     */
    SqlQuery add(String sql, @Nullable Object... values) {
        text.append(sql).append(' ');
        for (var value : values) {
            parameters.add(value);
        }
        return this;
    }

    /** Appends a condition with one parameter, unless its value is null because the client has not sent it. */
    SqlQuery addIfPresent(String condition, @Nullable Object value) {
        return value == null ? this : add(condition, value);
    }

    SqlQuery add(SqlQuery other) {
        text.append(other.text);
        parameters.addAll(other.parameters);
        return this;
    }

    PreparedStatement prepare(Connection connection) throws SQLException {
        var statement = connection.prepareStatement(text.toString());
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i) instanceof String[] array) {
                statement.setArray(i + 1, connection.createArrayOf("text", array));
            } else {
                statement.setObject(i + 1, parameters.get(i));
            }
        }
        return statement;
    }

    @Override
    public String toString() {
        return text + " " + parameters;
    }
}
