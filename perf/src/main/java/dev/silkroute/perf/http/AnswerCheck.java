package dev.silkroute.perf.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.util.Random;

/** Compares responses with the routes of the known table. */
final class AnswerCheck {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RunningStation station;
    private final KnownTable table;

    AnswerCheck(RunningStation station, KnownTable table) {
        this.station = station;
        this.table = table;
    }

    /** @throws IOException if a lookup does not return the route of the table */
    void lookups(int number, long seed) throws IOException, InterruptedException {
        Random random = new Random(seed);
        for (int i = 0; i < number; i++) {
            int n = random.nextInt(table.routes());
            String path = "/api/v1/lookup?address=" + KnownTable.address(n);
            int found = 0;
            for (JsonNode route : JSON.readTree(station.get(path))) {
                if (route.path("router").asText().equals(KnownTable.ROUTER)) {
                    check(path, route, n);
                    found++;
                }
            }
            if (found != 1) {
                throw new IOException(path + " has " + found + " routes of the known table instead of 1");
            }
        }
    }

    /** @throws IOException if a response with many routes does not contain those of the table in order */
    void covered(String path, int expected) throws IOException, InterruptedException {
        JsonNode routes = JSON.readTree(station.get(path)).path("data");
        if (routes.size() != expected) {
            throw new IOException(path + " has " + routes.size() + " routes instead of " + expected);
        }
        for (int n = 0; n < expected; n++) {
            check(path, routes.get(n), n);
        }
    }

    /** @throws IOException if a route is not the one of the table with this number */
    static void check(String path, JsonNode route, int n) throws IOException {
        String prefix = route.path("prefix").asText();
        String asPath = route.path("as_path").asText();
        if (!prefix.equals(KnownTable.prefix(n)) || !asPath.equals(KnownTable.path(n))) {
            throw new IOException("%s has %s with path %s instead of %s with path %s"
                    .formatted(path, prefix, asPath, KnownTable.prefix(n), KnownTable.path(n)));
        }
    }
}
