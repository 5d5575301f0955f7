package dev.silkroute.app.mock;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.component.nettyff.NettyFfStatistics;
import dev.silkroute.load.MalformedCounts;
import dev.silkroute.load.TableSize;
import dev.silkroute.net.Family;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
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
        return failures.size() + " of " + routers + " sessions to " + mock.station() + " failed: "
                + String.join(", ", new TreeSet<>(failures.values()));
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
        boolean hasFailures = !run.failures().isEmpty();
        if (hasFailures || stalled || (statistics.failed() > 0 && !reconnects)) {
            return mock.fail((hasFailures ? failures() : "the station has stopped reading") + "; sent before: " + sent);
        }
        PrintWriter out = mock.out();
        out.println((interrupted ? "Interrupted after " : "Sent ") + sent);
        List<TableSize> tables = run.tableSizes();
        printTables(tables, out);
        if (malformed) {
            printMalformed(run.malformedCounts(), out);
        }
        out.flush();
        if (file != null && !write(tables, file)) {
            return ExitCode.USAGE_ERROR;
        }
        return interrupted && !mock.hold() ? ExitCode.INTERRUPTED : ExitCode.OK;
    }

    private String sent(NettyFfStatistics statistics, boolean reconnects) {
        return String.format(
                Locale.ROOT,
                "%,d messages with %,d announcements and %,d withdrawals, %,d bytes in %.3f s;"
                        + " accepted %,d, written %,d, failed %,d, refused %,d%s",
                run.messages(),
                run.announced(),
                run.withdrawn(),
                run.bytes(),
                run.seconds(),
                statistics.accepted(),
                statistics.written(),
                statistics.failed(),
                statistics.refused(),
                reconnects ? String.format(Locale.ROOT, "; sessions restarted %,d", run.restarts()) : "");
    }

    private static void printTables(List<TableSize> tables, PrintWriter out) {
        Map<String, Long> sums = new TreeMap<>();
        tables.forEach(table ->
                sums.merge(table.view().text() + " " + Family.text(table.family()), (long) table.routes(), Long::sum));
        out.printf(
                Locale.ROOT,
                "The station should hold %,d routes%s%n",
                sums.values().stream().mapToLong(Long::longValue).sum(),
                sums.isEmpty() ? "" : ":");
        sums.forEach((viewAndFamily, routes) -> out.printf(Locale.ROOT, "  %s %,d%n", viewAndFamily, routes));
    }

    private static void printMalformed(List<MalformedCounts> counts, PrintWriter out) {
        Map<String, Long> sums = new TreeMap<>();
        long quarantined = 0;
        for (MalformedCounts router : counts) {
            for (Map.Entry<MessageType, Long> entry : router.quarantined().entrySet()) {
                sums.merge("quarantine " + entry.getKey().text(), entry.getValue(), Long::sum);
                quarantined += entry.getValue();
            }
            router.outcomes().forEach((outcome, count) -> sums.merge(outcome.text(), count, Long::sum));
        }
        out.printf(
                Locale.ROOT,
                "%,d messages were malformed, %,d of which the station should quarantine:%n",
                counts.stream().mapToLong(MalformedCounts::malformed).sum(),
                quarantined);
        sums.forEach((outcome, count) -> out.printf(Locale.ROOT, "  %s %,d%n", outcome, count));
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
