package dev.silkroute.app.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.silkroute.postgres.LaneRecord;
import dev.silkroute.postgres.Quarantine;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.StringJoiner;
import javax.sql.DataSource;
import org.apache.camel.Exchange;

/** What the steps of {@code lifecycle.yaml} call before the SQL: a batch of JSON records as one JSON array. */
@Singleton
@Named("jsonRecords")
public class JsonRecords {
    private final JsonFactory json = new JsonFactory();
    private final DataSource database;

    @Inject
    JsonRecords(DataSource database) {
        this.database = database;
    }

    /**
     * Puts the array of the batch's records into the body, as text that PostgreSQL's jsonb takes: without NUL characters.
     * A record that is no JSON object goes to quarantine.
     */
    public void array(Exchange batch) throws SQLException {
        StringJoiner array = new StringJoiner(",", "[", "]");
        for (LaneRecord record : KafkaRecords.of(batch)) {
            try {
                array.add(object(record.value()));
            } catch (IOException e) {
                quarantine(record, e);
            }
        }
        batch.getMessage().setBody(array.toString());
    }

    private void quarantine(LaneRecord record, IOException problem) throws SQLException {
        String reason = problem instanceof JsonProcessingException bad ? bad.getOriginalMessage() : problem.toString();
        try (Connection connection = database.getConnection()) {
            Quarantine.add(connection, record, "no JSON object: " + reason, Quarantine.NO_OFFSET);
        }
    }

    /** Copies one object token by token, without recursion and without building it. */
    private String object(byte[] bytes) throws IOException {
        StringWriter text = new StringWriter(bytes.length + 16);
        try (JsonParser from = json.createParser(bytes);
                JsonGenerator to = json.createGenerator(text)) {
            if (from.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it does not begin with {");
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
            case FIELD_NAME -> to.writeFieldName(clean(from.currentName()));
            case VALUE_STRING -> to.writeString(clean(from.getText()));
            default -> to.copyCurrentEvent(from);
        }
    }

    private static String clean(String text) {
        return text.indexOf('\0') < 0 ? text : text.replace("\0", "");
    }
}
