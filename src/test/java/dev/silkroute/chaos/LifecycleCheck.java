package dev.silkroute.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.fixture.TopicReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Compares peer events and statistics with their topics: each must be stored once, and all routers and peers must be
 * up.
 */
final class LifecycleCheck {
    private static final ObjectMapper JSON = new ObjectMapper();

    private LifecycleCheck() {}

    static void run(Connection connection, String bootstrap, Findings findings) throws SQLException {
        Map<String, Long> starts = new HashMap<>();
        Set<String> events = topic(bootstrap, "bmp.peers", findings, (record, add) -> {
            if (record.get("event").asText().equals("collector-start")) { // stored in a table of its own
                starts.merge(
                        record.get("collector").asText(),
                        record.get("session_id").asLong(),
                        Math::max);
            } else {
                add.accept(record.get("event").asText(), record);
            }
        });
        Set<String> statistics = topic(bootstrap, "bmp.stats", findings, (record, add) -> {
            for (int n = 0; n < record.path("statistics").size(); n++) {
                add.accept(Integer.toString(n), record);
            }
        });
        table(connection, "bmp.peer_event", "event", events, findings);
        table(connection, "bmp.statistic", "ordinal", statistics, findings);
        collectors(connection, starts, findings);
        none(
                connection,
                "SELECT route_id, count(*) FROM bmp.rib_route GROUP BY 1 HAVING count(*) > 1",
                "number that several routes have",
                findings);
        none(connection, "SELECT kafka_record, reason FROM bmp.quarantine", "row in quarantine", findings);
        none(
                connection,
                "SELECT router, state FROM bmp.v_routers WHERE state <> 'connected'",
                "router not connected",
                findings);
        none(
                connection,
                "SELECT router, peer_address, rib_view, state FROM bmp.v_peers WHERE state <> 'up'",
                "peer not up",
                findings);
    }

    private static Set<String> topic(
            String bootstrap,
            String topic,
            Findings findings,
            BiConsumer<JsonNode, BiConsumer<String, JsonNode>> reader) {
        Findings.Kind twice = findings.kind("duplicate record in " + topic);
        Findings.Kind keyless = findings.kind("record without a key, by which routers keep their order, in " + topic);
        Set<String> keys = new HashSet<>();
        TopicReader.read(bootstrap, topic, kafkaRecord -> {
            if (kafkaRecord.key() == null) {
                keyless.add(kafkaRecord.partition() + "-" + kafkaRecord.offset());
            }
            JsonNode json = parse(kafkaRecord.value());
            reader.accept(json, (what, record) -> {
                String key = record.get("session_id").asText() + " "
                        + record.get("sequence").asText() + " " + what;
                if (!keys.add(key)) {
                    twice.add(key);
                }
            });
        });
        keyless.close();
        twice.close();
        return keys;
    }

    private static JsonNode parse(byte[] json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void table(Connection connection, String table, String what, Set<String> expected, Findings findings)
            throws SQLException {
        Findings.Kind twice = findings.kind("surplus row in " + table);
        Findings.Kind missing = findings.kind("record missing in " + table);
        Set<String> left = new HashSet<>(expected);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT session_id, sequence, " + what + " FROM " + table)) {
            while (row.next()) {
                String key = row.getString(1) + " " + row.getString(2) + " " + row.getString(3);
                if (!left.remove(key)) {
                    twice.add(key);
                }
            }
        }
        left.forEach(missing::add);
        twice.close();
        missing.close();
    }

    /** Checks that each collector is stored with its last start. */
    private static void collectors(Connection connection, Map<String, Long> starts, Findings findings)
            throws SQLException {
        Findings.Kind wrong = findings.kind("collector with a wrong last start");
        Map<String, Long> left = new HashMap<>(starts);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT name, session_id FROM bmp.collector")) {
            while (row.next()) {
                Long last = left.remove(row.getString(1));
                if (last == null || last != row.getLong(2)) {
                    wrong.add(row.getString(1) + ": " + row.getLong(2) + ", in the topic " + last);
                }
            }
        }
        left.forEach((name, last) -> wrong.add(name + ": none, in the topic " + last));
        wrong.close();
    }

    private static void none(Connection connection, String query, String what, Findings findings) throws SQLException {
        Findings.Kind kind = findings.kind(what);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                StringBuilder text = new StringBuilder();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    text.append(row.getString(i)).append(' ');
                }
                kind.add(text);
            }
        }
        kind.close();
    }
}
