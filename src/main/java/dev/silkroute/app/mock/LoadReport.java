package dev.silkroute.app.mock;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.component.nettyff.NettyFfStatistics;
import dev.silkroute.load.MalformedCounts;
import dev.silkroute.load.TableSize;
import dev.silkroute.net.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reports the result of a load: what was sent, and what the station should contain as a consequence. */
final class LoadReport {
    private final MockOptions mock;
    private final LoadRun run;
    private final int routers;

    LoadReport(MockOptions mock, LoadRun run, int routers) {
        this.mock = mock;
        this.run = run;
        this.routers = routers;
    }

    /** Describes the sessions that have failed. */
    String failures() {
        Map<String, String> failures = run.failures();
        Set<String> reasons = new TreeSet<>(failures.values());
        String rejection = run.rejection();
        if (rejection != null) {
            reasons.add(rejection);
        }
        int count = Math.max(failures.size(), run.rejections());
        return count + " of " + routers + " sessions to " + mock.station() + " failed: " + String.join(", ", reasons);
    }

    /**
     * Prints the report.
     *
     * @param reconnects whether lost sessions were restarted, so that messages lost with them are not failures
     * @param malformed whether messages were malformed on purpose
     * @param file where to write the expected table sizes, if anywhere
     * @return the exit code
     */
    int print(boolean interrupted, boolean reconnects, boolean malformed, @Nullable Path file) {
        NettyFfStatistics statistics = run.statistics();
        String sent = sent(statistics, reconnects);
        boolean stalled = statistics.pending() > 0;
        if (interrupted && stalled) {
            mock.warn("interrupted while the station had stopped reading; sent before: " + sent);
            return ExitCode.INTERRUPTED;
        }
        boolean hasFailures = !run.failures().isEmpty() || run.rejection() != null;
        if (hasFailures || stalled || (statistics.failed() > 0 && !reconnects)) {
            return mock.fail((hasFailures ? failures() : "the station has stopped reading") + "; sent before: " + sent);
        }
        List<TableSize> tables = run.tableSizes();
        List<MalformedCounts> malformedCounts = malformed ? run.malformedCounts() : List.of();
        mock.report(
                (interrupted ? "Interrupted after " : "Sent ")
                        + sent
                        + text(tables)
                        + (malformed ? malformedText(malformedCounts) : ""),
                json -> writeJson(statistics, interrupted, tables, malformedCounts, json));
        if (file != null && !write(tables, file)) {
            return ExitCode.FAILURE;
        }
        return interrupted && !mock.hold() ? ExitCode.INTERRUPTED : ExitCode.OK;
    }

    private String sent(NettyFfStatistics statistics, boolean reconnects) {
        return String.format(
                Locale.ROOT,
                "%,d messages with %,d announcements and %,d withdrawals, %,d bytes in %.3f s;"
                        + " accepted %,d, written %,d, failed %,d, rejected %,d%s",
                run.messages(),
                run.announced(),
                run.withdrawn(),
                run.bytes(),
                run.seconds(),
                statistics.accepted(),
                statistics.written(),
                statistics.failed(),
                statistics.rejected(),
                reconnects ? String.format(Locale.ROOT, "; sessions restarted %,d", run.restarts()) : "");
    }

    /** Writes the report as an object. */
    private void writeJson(
            NettyFfStatistics statistics,
            boolean interrupted,
            List<TableSize> tables,
            List<MalformedCounts> malformed,
            JsonGenerator json)
            throws IOException {
        json.writeStartObject();
        json.writeBooleanField("interrupted", interrupted);
        json.writeNumberField("messages", run.messages());
        json.writeNumberField("announcements", run.announced());
        json.writeNumberField("withdrawals", run.withdrawn());
        json.writeNumberField("bytes", run.bytes());
        json.writeNumberField("seconds", run.seconds());
        json.writeNumberField("accepted", statistics.accepted());
        json.writeNumberField("written", statistics.written());
        json.writeNumberField("failed", statistics.failed());
        json.writeNumberField("rejected", statistics.rejected());
        json.writeNumberField("session_restarts", run.restarts());
        writeCounts("expected_routes", routes(tables), json);
        writeCounts("expected_outcomes", outcomes(malformed), json);
        json.writeEndObject();
    }

    private static void writeCounts(String field, Map<String, Long> counts, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart(field);
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            json.writeNumberField(count.getKey(), count.getValue());
        }
        json.writeEndObject();
    }

    /** Returns the number of routes by view and family. */
    private static Map<String, Long> routes(List<TableSize> tables) {
        Map<String, Long> sums = new TreeMap<>();
        tables.forEach(table ->
                sums.merge(table.view().text() + " " + Family.text(table.family()), (long) table.routes(), Long::sum));
        return sums;
    }

    /** Returns how often the station should count each outcome of a malformed message. */
    private static Map<String, Long> outcomes(List<MalformedCounts> counts) {
        Map<String, Long> sums = new TreeMap<>();
        for (MalformedCounts router : counts) {
            router.quarantined().forEach((type, count) -> sums.merge("quarantine " + type.text(), count, Long::sum));
            router.outcomes().forEach((outcome, count) -> sums.merge(outcome.text(), count, Long::sum));
        }
        return sums;
    }

    private static String text(List<TableSize> tables) {
        Map<String, Long> routes = routes(tables);
        return String.format(
                        Locale.ROOT,
                        "%nThe station should hold %,d routes%s",
                        routes.values().stream().mapToLong(Long::longValue).sum(),
                        routes.isEmpty() ? "" : ":")
                + lines(routes);
    }

    private static String malformedText(List<MalformedCounts> counts) {
        return String.format(
                        Locale.ROOT,
                        "%n%,d messages were malformed, %,d of which the station should quarantine:",
                        counts.stream().mapToLong(MalformedCounts::malformed).sum(),
                        counts.stream()
                                .flatMap(router -> router.quarantined().values().stream())
                                .mapToLong(Long::longValue)
                                .sum())
                + lines(outcomes(counts));
    }

    private static String lines(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(count -> String.format(Locale.ROOT, "%n  %s %,d", count.getKey(), count.getValue()))
                .collect(Collectors.joining());
    }

    private boolean write(List<TableSize> tables, Path file) {
        try {
            Files.write(
                    file,
                    tables.stream()
                            .map(table -> String.join(
                                    "\t",
                                    table.router(),
                                    table.peerAddress(),
                                    table.view().text(),
                                    Family.text(table.family()),
                                    Integer.toString(table.routes())))
                            .toList());
            return true;
        } catch (IOException e) {
            mock.warn("cannot write " + file + ": " + OperatorError.reason(e));
            return false;
        }
    }
}
