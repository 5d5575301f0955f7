package dev.silkroute.postgres.pipeline;

import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement prepared on one connection.
 *
 * @param types the types of its parameters, by their names in PostgreSQL's catalog
 */
record PreparedSql(PreparedStatement statement, List<String> types) {
    /** @throws IllegalArgumentException if the parameters do not match the statement */
    Tuple bind(List<@Nullable Object> parameters) {
        if (parameters.size() != types.size()) {
            throw new IllegalArgumentException(
                    "the statement has " + types.size() + " parameters, but " + parameters.size() + " were given");
        }
        Tuple tuple = Tuple.tuple();
        for (int i = 0; i < types.size(); i++) {
            try {
                tuple.addValue(ParameterValues.convert(types.get(i), parameters.get(i)));
            } catch (RuntimeException e) {
                throw new IllegalArgumentException("parameter $" + (i + 1) + " is " + reason(e), e);
            }
        }
        return tuple;
    }

    private static String reason(RuntimeException e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
