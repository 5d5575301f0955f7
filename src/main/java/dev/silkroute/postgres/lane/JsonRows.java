package dev.silkroute.postgres.lane;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.copy.Text;
import java.io.IOException;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stores JSON records by an SQL function that takes an array of them: the lanes that use it are low in volume, and
 * their processing is simplest in SQL. A record that is not a JSON object goes to quarantine.
 */
public final class JsonRows implements RowSource<byte[]>, LaneWriter<byte[]> {
    private static final Pattern FUNCTION = Pattern.compile("([A-Za-z_]\\w*\\.)?[A-Za-z_]\\w*");

    private final JsonFactory json = new JsonFactory();
    private final String call;
    private final @Nullable String prepare;

    /**
     * @param function such as {@code bmp.apply_peer_events}; takes a JSON array and returns how many rows were new
     * @param prepare such as {@code bmp.ensure_peers}; takes the same array before the transaction and inserts what
     *     several lanes insert, so that none of them waits for the transaction of another; null for nothing
     * @throws IllegalArgumentException if one is not a function name, with or without its schema
     */
    public JsonRows(String function, @Nullable String prepare) {
        call = call(function);
        this.prepare = prepare == null ? null : call(prepare);
    }

    private static String call(String function) {
        if (!FUNCTION.matcher(function).matches()) {
            throw new IllegalArgumentException("'" + function + "' is not a function name");
        }
        return "SELECT " + function + "(CAST(? AS jsonb))";
    }

    @Override
    public Class<byte[]> valueType() {
        return byte[].class;
    }

    @Override
    public LaneWriter<byte[]> into(String table) {
        return this;
    }

    /** Encodes the records as one array that PostgreSQL's jsonb accepts: without NUL characters. */
    @Override
    public Prepared prepare(Connection connection, List<LaneRecord<byte[]>> records) throws SQLException {
        StringJoiner joiner = new StringJoiner(",", "[", "]");
        for (LaneRecord<byte[]> record : records) {
            joiner.add(object(record.value()));
        }
        String array = joiner.toString();
        if (prepare != null) {
            Sql.query(connection, prepare, _ -> {}, array);
        }
        return transaction -> apply(transaction, array);
    }

    private long apply(LaneTransaction transaction, String array) throws SQLException {
        return Sql.first(transaction.connection(), call, row -> row.getLong(1), array)
                .orElse(0L);
    }

    /** Returns the value of the field {@code router}. */
    @Override
    public @Nullable String source(byte[] value) {
        try (JsonParser from = json.createParser(value)) {
            if (from.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (from.nextToken() == JsonToken.FIELD_NAME) {
                boolean isRouter = from.currentName().equals("router");
                if (from.nextToken() == JsonToken.VALUE_STRING && isRouter) {
                    return from.getText();
                }
                from.skipChildren();
            }
            return null;
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    public boolean setsAside() {
        return true;
    }

    @Override
    public void setAside(LaneTransaction transaction, LaneRecord<byte[]> record, Exception problem)
            throws SQLException {
        Quarantine.add(transaction, record, String.valueOf(problem.getMessage()), Quarantine.NO_OFFSET);
    }

    private String object(byte[] bytes) {
        try {
            return copy(bytes);
        } catch (IOException e) {
            String reason = e instanceof JsonProcessingException bad ? bad.getOriginalMessage() : e.getMessage();
            throw new IllegalArgumentException("not a JSON object: " + reason, e);
        }
    }

    /** Copies one object token by token, without recursion and without building it. */
    private String copy(byte[] bytes) throws IOException {
        StringWriter text = new StringWriter(bytes.length + 16);
        try (JsonParser from = json.createParser(bytes);
                JsonGenerator to = json.createGenerator(text)) {
            if (from.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it does not start with {");
            }
            int depth = 0;
            JsonToken token = JsonToken.START_OBJECT;
            while (token != null) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                copy(from, token, to);
                token = from.nextToken();
                if (depth == 0 && token != null) {
                    throw new IOException("something follows the object");
                }
            }
        }
        return text.toString();
    }

    private static void copy(JsonParser from, JsonToken token, JsonGenerator to) throws IOException {
        switch (token) {
            case FIELD_NAME -> to.writeFieldName(Text.clean(from.currentName()));
            case VALUE_STRING -> to.writeString(Text.clean(from.getText()));
            default -> to.copyCurrentEvent(from);
        }
    }
}
