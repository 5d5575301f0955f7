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

/** What a load ends with: what was sent, and what the station should hold. */
final class LoadReport {
    private final MockOptions mock;
    private final LoadRun run;
    private final int routers;

    LoadReport(MockOptions mock, LoadRun run, int routers) {
        this.mock = mock;
        this.run = run;
        this.routers = routers;
    }

    /** Which sessions have failed. */
    String broken() {
        Map<String, String> failures = run.failures();
        return failures.size() + " of " + routers + " sessions to " + mock.station() + ": "
                + String.join(", ", new TreeSet<>(failures.values()));
    }

    /**
     * Says it all.
     *
     * @param reconnects whether lost sessions are begun anew, so that what failed with them is no fault
     * @param faults whether messages were malformed on purpose
     * @param file where to write what the station should hold
     * @return the exit code
     */
    int finish(boolean interrupted, boolean reconnects, boolean faults, @Nullable Path file) {
        NettyFfStatistics statistics = run.statistics();
        String sent = sent(statistics, reconnects);
        boolean stuck = statistics.pending() > 0;
        if (interrupted && stuck) {
            mock.say("interrupted while the station took no more; sent before: " + sent);
            return ExitCode.INTERRUPTED;
        }
        boolean broken = !run.failures().isEmpty();
        if (broken || stuck || (statistics.failed() > 0 && !reconnects)) {
            return mock.fail((broken ? broken() : "the station takes no more") + "; sent before: " + sent);
        }
        PrintWriter out = mock.out();
        out.println((interrupted ? "Interrupted after " : "Sent ") + sent);
        List<TableSize> expected = run.expected();
        routes(expected, out);
        if (faults) {
            faults(run.faults(), out);
        }
        out.flush();
        boolean written = file == null || write(expected, file);
        return written ? interrupted && !mock.hold() ? ExitCode.INTERRUPTED : 0 : ExitCode.USAGE_ERROR;
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
                reconnects ? String.format(Locale.ROOT, "; sessions begun anew %,d", run.restarts()) : "");
    }

    private static void routes(List<TableSize> expected, PrintWriter out) {
        Map<String, Long> sums = new TreeMap<>();
        expected.forEach(
                rib -> sums.merge(rib.view().text() + " " + Family.text(rib.family()), (long) rib.routes(), Long::sum));
        out.printf(
                Locale.ROOT,
                "The station should hold %,d routes%s%n",
                sums.values().stream().mapToLong(Long::longValue).sum(),
                sums.isEmpty() ? "" : ":");
        sums.forEach((rib, routes) -> out.printf(Locale.ROOT, "  %s %,d%n", rib, routes));
    }

    private static void faults(List<MalformedCounts> faults, PrintWriter out) {
        Map<String, Long> sums = new TreeMap<>();
        long quarantined = 0;
        for (MalformedCounts one : faults) {
            for (Map.Entry<MessageType, Long> entry : one.quarantined().entrySet()) {
                sums.merge("quarantine " + entry.getKey().text(), entry.getValue(), Long::sum);
                quarantined += entry.getValue();
            }
            one.outcomes().forEach((kind, count) -> sums.merge(kind.text(), count, Long::sum));
        }
        out.printf(
                Locale.ROOT,
                "%,d messages were malformed, %,d of which the station should quarantine:%n",
                faults.stream().mapToLong(MalformedCounts::malformed).sum(),
                quarantined);
        sums.forEach((what, count) -> out.printf(Locale.ROOT, "  %s %,d%n", what, count));
    }

    private boolean write(List<TableSize> expected, Path file) {
        try {
            Files.write(
                    file,
                    expected.stream()
                            .map(rib -> String.join(
                                    "\t",
                                    rib.router(),
                                    rib.peerAddress(),
                                    rib.view().text(),
                                    Family.text(rib.family()),
                                    Integer.toString(rib.routes())))
                            .toList());
            return true;
        } catch (IOException e) {
            mock.say("cannot write " + file + ": " + OperatorError.reason(e));
            return false;
        }
    }
}
