package dev.silkroute.perf.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.load.ExpectedRoute;
import dev.silkroute.load.ExpectedTable;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/** Random routes of a large table in the RIB of a station, compared with what the generator has drawn for them. */
final class RouteSample {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RunningStation station;
    private final LargeTable table;

    RouteSample(RunningStation station, LargeTable table) {
        this.station = station;
        this.table = table;
    }

    /**
     * Looks up the prefixes of random routes.
     *
     * @return how many routes of the sample the RIB has, with all attributes as they were sent
     */
    int matches(int number, long seed) throws IOException, InterruptedException {
        List<ExpectedTable> tables = table.expected();
        Random random = new Random(seed);
        int matches = 0;
        for (int i = 0; i < number; i++) {
            long route = random.nextLong(table.routes());
            boolean isIpv4 = route < table.ipv4();
            ExpectedRoute expected = isIpv4
                    ? tables.getFirst().route((int) route)
                    : tables.getLast().route((int) (route - table.ipv4()));
            matches += matches(expected) ? 1 : 0;
        }
        return matches;
    }

    private boolean matches(ExpectedRoute expected) throws IOException, InterruptedException {
        JsonNode answer =
                JSON.readTree(station.get("/api/v1/lookup?router=" + LargeTable.ROUTER + "&prefix=" + expected.nlri()));
        JsonNode attributes = JSON.readTree(JSON.writeValueAsString(expected.attributes()));
        JsonNode route = answer.path(0);
        boolean isEqual = answer.isArray()
                && answer.size() == 1
                && route.path("prefix").asText().equals(expected.nlri())
                && route.path("attributes").equals(attributes);
        if (!isEqual) {
            System.err.printf(
                    "The RIB has %s instead of %s with the attributes %s.%n", answer, expected.nlri(), attributes);
        }
        return isEqual;
    }
}
