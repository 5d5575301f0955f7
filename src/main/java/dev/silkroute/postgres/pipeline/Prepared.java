package dev.silkroute.postgres.pipeline;

import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement prepared on one connection.
 *
 * @param types of its parameters, by the names of PostgreSQL's catalog
 */
record Prepared(PreparedStatement statement, List<String> types) {
    /** @throws IllegalArgumentException if the parameters aren't those of the statement */
    Tuple bind(List<@Nullable Object> parameters) {
        if (parameters.size() != types.size()) {
            throw new IllegalArgumentException(
                    "it takes " + types.size() + " parameters and was given " + parameters.size());
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
