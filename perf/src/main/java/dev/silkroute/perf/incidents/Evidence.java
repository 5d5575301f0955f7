package dev.silkroute.perf.incidents;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Derives alerts again from nothing but the events that they name, which it reads from the history, and the meaning of
 * the rules as the documentation has it.
 */
final class Evidence implements AutoCloseable {
    private static final String EVENT = """
            SELECT event, prefix, as_path, peer_asn, (attributes->>'otc')::bigint
            FROM bmp.v_route_history WHERE router = ? AND session_id = ? AND sequence = ?\
            """;

    private final PreparedStatement statement;

    Evidence(Connection connection) throws SQLException {
        statement = connection.prepareStatement(EVENT);
    }

    /** @param otc the AS number in Only to Customer, 0 without */
    private record Event(boolean announced, Prefix prefix, List<Integer> path, int peerAsn, long otc) {
        private int origin() {
            return path.getLast();
        }

        private boolean hasNeighbors(int first, int second) {
            int at = path.indexOf(first);
            return at >= 0 && at + 1 < path.size() && path.get(at + 1) == second;
        }

        /** Returns whether the event is what the rule of the incident is about. */
        boolean shows(Incident incident) {
            Prefix listed = incident.listed();
            boolean shows = prefix.equals(incident.prefix());
            return shows
                    && switch (incident.kind()) {
                        case LOSS -> !announced;
                        case HIJACK -> announced && prefix.equals(listed) && origin() != Network.MINE;
                        case MORE_SPECIFIC_HIJACK ->
                            announced && listed.covers(prefix) && !prefix.equals(listed) && origin() != Network.MINE;
                        case NEW_PREFIX ->
                            announced && listed.covers(prefix) && !prefix.equals(listed) && origin() == Network.MINE;
                        case UNLISTED_PREFIX -> announced && !listed.covers(prefix) && origin() == Network.MINE;
                        case OLD_TRANSIT_PATH -> announced && path.indexOf(Network.OLD_TRANSIT) > 0;
                        case UNEXPECTED_UPSTREAM -> announced && hasNeighbors(Network.NEW_UPSTREAM, Network.MINE);
                        case CUSTOMER_LEAK -> announced && otc != 0 && peerAsn == Network.feedAsn(Network.FEEDS - 1);
                        case LEAK ->
                            announced
                                    && hasNeighbors(Network.PROVIDER, Network.LEAKER)
                                    && hasNeighbors(Network.LEAKER, Network.OTHER_PROVIDER);
                        // the only VRP of the prefix is the stranger's
                        case ROA_CHANGE -> announced && origin() != Network.STRANGER;
                    };
        }
    }

    /** Returns whether the events that an alert names are enough for an alert on the incident. */
    boolean derives(JsonNode alert, Incident incident) throws SQLException {
        Set<String> vantagePoints = new HashSet<>();
        for (JsonNode event : alert.path("evidence")) {
            statement.setString(1, event.path("router").asText());
            statement.setLong(2, event.path("session_id").asLong());
            statement.setLong(3, event.path("sequence").asLong());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next() || !event(row).shows(incident)) {
                    return false;
                }
            }
            vantagePoints.add(event.path("router").asText() + " "
                    + event.path("peer_address").asText());
        }
        return vantagePoints.size() >= incident.kind().threshold();
    }

    private static Event event(ResultSet row) throws SQLException {
        String path = row.getString(3);
        return new Event(
                row.getString(1).equals("announce"),
                Prefix.parse(row.getString(2)),
                path == null
                        ? List.of()
                        : Arrays.stream(path.split(" ", -1))
                                .map(Integer::valueOf)
                                .toList(),
                row.getInt(4),
                row.getLong(5));
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
