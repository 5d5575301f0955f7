package dev.silkroute.perf.state;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.JbmpState;
import dev.silkroute.perf.postgres.OwnLane;
import dev.silkroute.perf.postgres.Rounds;
import dev.silkroute.perf.postgres.Server;
import dev.silkroute.perf.postgres.StorageContender;
import dev.silkroute.perf.postgres.TransactionFeed;
import dev.silkroute.perf.postgres.Workload;
import dev.silkroute.perf.report.Scenario;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Tables that change, and tables that come once more unchanged: the current-state lane, jBMP's statement, a plain
 * upsert.
 */
@Command(
        name = "current-state",
        description =
                "Tables that change, or are sent again unchanged: the station's lane, jBMP's statement, an upsert.")
public final class StateScenario extends Scenario {
    @Option(names = "--rounds", defaultValue = "7", description = "Measured rounds: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "1", description = "Rounds before those: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(names = "--routes", description = "Routes in the tables; by default twice the rows.")
    private int routes;

    @Option(names = "--rows", defaultValue = "150000", description = "Changes in each turn, about: ${DEFAULT-VALUE}.")
    private int rows;

    @Option(
            names = "--transaction",
            defaultValue = "10000",
            description = "Events of a transaction, about: ${DEFAULT-VALUE}.")
    private int transaction;

    @Option(names = "--only", description = "Runs this arm alone, or these, and makes no table: for profilers.")
    private List<String> only = List.of();

    @Override
    public Integer call() throws Exception {
        Path work = folder();
        Workload workload = Workload.currentState(routes == 0 ? 2 * rows : routes, rows, transaction);
        System.err.println("tables: " + workload.tables().describe());
        System.err.println("changes: " + workload.changes().describe());
        try (Server server = new Server(work.resolve("data"))) {
            databases(server, workload);
            List<TransactionFeed> tables = List.of(workload.tables());
            List<TransactionFeed> all = List.of(workload.tables(), workload.changes());
            Comparison comparison = new Comparison(
                    new OwnContender("ours, changes", StationContender.SETS_TOO, all, workload.changes()),
                    new OwnContender("ours, changes, sets new", StationContender.TABLES, tables, workload.changes()),
                    new JbmpContender("jBMP, changes", workload.changes()),
                    new OwnContender("ours, unchanged", StationContender.TABLES, tables, workload.tablesAgain()),
                    new UpsertContender(workload.tablesAgain()));
            if (!only.isEmpty()) {
                new Rounds(server).measure(Rounds.only(comparison.arms(), only), warmUp, rounds);
                return 0;
            }
            new Rounds(server).measure(comparison.arms(), warmUp, rounds);
            publish(
                    server.settings() + "; tables: " + workload.tables().describe() + "; changes: "
                            + workload.changes().describe(),
                    comparison.lines(),
                    comparison.information());
        }
        return 0;
    }

    /** Both with the tables in them, vacuumed and analysed: what each turn begins with. */
    private static void databases(Server server, Workload workload) throws Exception {
        try (Database station = server.create(StationContender.TABLES)) {
            station.migrate();
            load(server, new OwnContender("first", StationContender.TABLES, List.of(), workload.tables()), station);
        }
        try (Database station = server.create(StationContender.SETS_TOO, StationContender.TABLES)) {
            OwnLane.setsOf(station, List.of(workload.changes()));
        }
        try (Database jbmp = server.create(JbmpContender.DATABASE)) {
            JbmpState.create(jbmp);
            load(server, new JbmpContender("first", workload.tables()), jbmp);
        }
    }

    private static void load(Server server, StorageContender arm, Database database) throws Exception {
        Rounds.once(server, arm, database);
        database.execute("VACUUM ANALYZE");
    }
}
