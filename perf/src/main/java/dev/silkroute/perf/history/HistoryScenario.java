package dev.silkroute.perf.history;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.JbmpHistory;
import dev.silkroute.perf.postgres.Rounds;
import dev.silkroute.perf.postgres.Server;
import dev.silkroute.perf.postgres.TransactionFeed;
import dev.silkroute.perf.postgres.Workload;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.postgres.dimension.AttributeSets;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Announcements and withdrawals to durable rows: the history lane, psql, JDBC batches, jBMP's table. */
@Command(
        name = "history",
        description = "Announcements and withdrawals to durable rows: the station's lane, psql, JDBC, jBMP's table.")
public final class HistoryScenario extends Scenario {
    private static final int REMEMBERED_SETS = 2_000_000;

    /** Routers and peers are in it, and all attribute sets. */
    static final String KNOWN = "sets_known";
    /** Routers and peers are in it. */
    static final String NEW = "sets_new";

    @Option(names = "--rounds", defaultValue = "7", description = "Measured rounds: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "2", description = "Rounds before those: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(names = "--rows", defaultValue = "1200000", description = "Rows of each turn: ${DEFAULT-VALUE}.")
    private int rows;

    @Option(
            names = "--transaction",
            defaultValue = "125000",
            description = "Rows of a transaction, about: ${DEFAULT-VALUE}, as in 8 MiB of the lane's records.")
    private int transaction;

    @Option(names = "--only", description = "Runs this arm alone, or these, and makes no table: for profilers.")
    private List<String> only = List.of();

    @Override
    public Integer call() throws Exception {
        Path work = folder();
        TransactionFeed feed = Workload.history(rows, transaction).changes();
        System.err.println(feed.describe());
        try (Server server = new Server(work.resolve("data"))) {
            AttributeSets known = new AttributeSets(REMEMBERED_SETS);
            CopyFiles files = new CopyFiles(work.resolve("events.copy"), work.resolve("attributes.copy"));
            String answer = databases(server, feed, known, files);
            Comparison comparison = new Comparison(
                    feed,
                    answer,
                    new OwnContender("ours, sets known", true, feed, () -> known),
                    new OwnContender("ours, sets new", false, feed, () -> new AttributeSets(REMEMBERED_SETS)),
                    PsqlContender.events(feed, files),
                    PsqlContender.eventsAndAttributes(feed, files),
                    new JdbcContender(feed),
                    new JbmpContender(feed, work));
            if (!only.isEmpty()) {
                new Rounds(server).measure(Rounds.only(comparison.arms(), only), warmUp, rounds);
                return 0;
            }
            new Rounds(server).measure(comparison.arms(), warmUp, rounds);
            publish(
                    server.settings() + "; each turn: " + feed.describe(),
                    comparison.lines(),
                    comparison.information());
        }
        return 0;
    }

    /** @return what both schemas should answer to {@link SameRoutes} */
    private static String databases(Server server, TransactionFeed feed, AttributeSets known, CopyFiles files)
            throws Exception {
        String answer;
        try (Database station = server.create(KNOWN)) {
            station.migrate();
            station.execute("SELECT bmp.ensure_partitions('2026-01-15', '2026-01-17')");
            Rounds.once(server, new OwnContender("first", true, feed, () -> known), station);
            files.write(station);
            answer = station.row(SameRoutes.OURS);
        }
        server.create(NEW, KNOWN).close();
        try (Database jbmp = server.create(JbmpContender.DATABASE)) {
            JbmpHistory.create(jbmp);
        }
        return answer;
    }
}
