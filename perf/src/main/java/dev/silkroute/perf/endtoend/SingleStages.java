package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.CpuTimes;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * The stages of a table dump's way through a station, each alone, in one station that has run all of them together to
 * warm up. Then the routes from {@code bmp.routes} are stopped, by files in the routes directory that replace the
 * packaged ones, and the collector has the station for itself until all records are in Kafka. After that the RIB, the
 * history and the current state read these records, one after the other. The history stores the attribute sets, so that
 * the current state finds them, as it does behind a history that is ahead.
 */
final class SingleStages implements AutoCloseable {
    private static final String ROUTES_TOPIC = "bmp.routes";
    private static final List<String> COLLECTOR_TOPICS = List.of("bmp.raw", ROUTES_TOPIC);
    private static final String RIB = "rib";
    /** The lanes to the database, in the order in which they run. Their routes and route files have the same names. */
    private static final List<String> LANES = List.of("history", "current");

    private static final long POLL_MILLIS = 50;
    /** Metrics cost the station some 15 ms of CPU time. */
    private static final long METRICS_POLL_MILLIS = 200;

    private static final long CPU_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** The collector has finished when no record has been added for so long. The time does not count. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(4);

    private final RunningStation station;
    /** The station's routes directory. */
    private final Path directory;

    private final long limitNanos;
    private final Admin kafka;
    private final Connection database;
    private final Map<String, String> groups = new HashMap<>();

    /** A condition that is polled. */
    @FunctionalInterface
    private interface Condition {
        boolean holds() throws IOException, InterruptedException, SQLException, ExecutionException;
    }

    private SingleStages(RunningStation station, Path directory, long limitMinutes) throws SQLException {
        this.station = station;
        this.directory = directory;
        limitNanos = TimeUnit.MINUTES.toNanos(limitMinutes);
        database = DriverManager.getConnection(station.jdbcUrl());
        kafka = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, station.bootstrap()));
    }

    /**
     * Measures each stage with the same dump.
     *
     * @param folder for the station, which must not have been used by another one
     * @param limitMinutes that one stage may take
     * @return a phase for each stage, with its time as that of the rows
     * @throws IOException if a stage does not finish, or not all routes are stored
     */
    static List<Phase> measure(Path folder, long warmUp, long routes, int peers, long limitMinutes) throws Exception {
        Path directory = Files.createDirectories(folder.resolve("routes"));
        // The lanes that are stopped store nothing, for which the collector would slow its routers down
        Map<String, String> settings =
                Map.of("SILKROUTE_ROUTES_DIR", directory.toString(), "SILKROUTE_QUOTA_STORE_DELAY", "0s");
        try (RunningStation station = RunningStation.start(folder.resolve("data"), settings);
                SingleStages stages = new SingleStages(station, directory, limitMinutes)) {
            StationLoad load = new StationLoad(station, limitMinutes);
            load.warmUp(warmUp);
            return stages.run(load, new FinishedRows(station.postgresUrl(), folder), routes, peers);
        }
    }

    private List<Phase> run(StationLoad load, FinishedRows rows, long routes, int peers) throws Exception {
        stop(RIB);
        for (String lane : LANES) {
            stop(lane);
        }
        Stored before = Stored.read(station, rows);
        List<Phase> phases = new ArrayList<>();
        Process session = null;
        try {
            // Polls begin before the load does
            long records = records(COLLECTOR_TOPICS);
            CpuTimes cpu = station.cpu();
            session = load.hold(routes, peers);
            phases.add(collector(records, cpu, routes));
            long collected = records(COLLECTOR_TOPICS);
            phases.add(consumer(
                    "the RIB alone, from Kafka",
                    RIB,
                    routes,
                    METRICS_POLL_MILLIS,
                    () -> Stored.inRib(station) - before.rib() >= routes));
            long end = records(List.of(ROUTES_TOPIC));
            for (String lane : LANES) {
                phases.add(consumer(
                        "the lane " + lane + " alone, from Kafka to durable rows",
                        lane,
                        routes,
                        POLL_MILLIS,
                        () -> offset(lane) == end));
            }
            if (records(COLLECTOR_TOPICS) != collected) {
                throw new IOException("the collector had not finished when the other stages began");
            }
            Stored.read(station, rows).requireAdded(before, routes);
            return phases;
        } finally {
            if (session != null) {
                StationLoad.end(session);
            }
        }
    }

    /** Measures the time from the first record of a dump in Kafka to the last one. */
    private Phase collector(long recordsBefore, CpuTimes cpuBefore, long routes)
            throws IOException, InterruptedException, ExecutionException {
        long deadline = System.nanoTime() + limitNanos;
        long records = recordsBefore;
        long start = 0;
        long changed = 0;
        long read = 0;
        CpuTimes cpu = cpuBefore;
        while (start == 0 || System.nanoTime() - changed < QUIET_NANOS) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the collector did not finish in time");
            }
            Thread.sleep(POLL_MILLIS);
            long now = records(COLLECTOR_TOPICS);
            long at = System.nanoTime();
            if (now != records) {
                records = now;
                changed = at;
                start = start == 0 ? at : start;
            }
            if (changed - read > CPU_POLL_NANOS) {
                read = changed;
                cpu = station.cpu();
            }
        }
        return new Phase(
                "the collector alone, from the socket to Kafka",
                routes,
                0,
                (changed - start) / 1e9,
                cpu.minus(cpuBefore),
                null);
    }

    /** Starts a consumer, and measures the time from the assignment of its partitions until it has read everything. */
    private Phase consumer(String name, String route, long routes, long pollMillis, Condition end) throws Exception {
        Files.delete(file(route));
        await("the start of " + route, POLL_MILLIS, () -> partitions(route) > 0);
        long start = System.nanoTime();
        CpuTimes before = station.cpu();
        await("the end of " + route, pollMillis, end);
        return new Phase(
                name,
                routes,
                0,
                (System.nanoTime() - start) / 1e9,
                station.cpu().minus(before),
                null);
    }

    /** Stops a consumer, and waits until it has left its group. */
    private void stop(String route) throws Exception {
        groups.put(route, group(route));
        String packaged;
        try (InputStream file = Scenario.class.getResourceAsStream("/routes/" + route + ".camel.yaml")) {
            packaged = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
        String id = "    id: " + route + "\n";
        if (!packaged.contains(id)) {
            throw new IOException("the packaged route file " + route + " has no route of its name");
        }
        Files.writeString(file(route), packaged.replace(id, id + "    autoStartup: \"false\"\n"));
        await("the stop of " + route, POLL_MILLIS, () -> partitions(route) == 0);
    }

    private Path file(String route) {
        return directory.resolve(route + ".camel.yaml");
    }

    private void await(String what, long pollMillis, Condition condition) throws Exception {
        long deadline = System.nanoTime() + limitNanos;
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("waited in vain for " + what);
            }
            Thread.sleep(pollMillis);
        }
    }

    /** The RIB's group has a random part, which is another one after each start of a station. */
    private String group(String route) throws IOException, InterruptedException, ExecutionException {
        return kafka.listGroups(ListGroupsOptions.forConsumerGroups()).all().get().stream()
                .map(GroupListing::groupId)
                .filter(id -> id.equals("silkroute-" + route) || id.startsWith("silkroute-" + route + "-"))
                .findFirst()
                .orElseThrow(() -> new IOException("Kafka has no consumer group of " + route));
    }

    /** The number of partitions that a consumer reads; 0 until all members of its group know theirs. */
    private int partitions(String route) throws InterruptedException, ExecutionException {
        String id = Objects.requireNonNull(groups.get(route));
        try {
            ConsumerGroupDescription group =
                    kafka.describeConsumerGroups(List.of(id)).all().get().get(id);
            return group == null || group.groupState() != GroupState.STABLE
                    ? 0
                    : group.members().stream()
                            .mapToInt(member ->
                                    member.assignment().topicPartitions().size())
                            .sum();
        } catch (ExecutionException e) {
            // Kafka forgets a group without members that has not committed any offset
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return 0;
            }
            throw e;
        }
    }

    /** The number of acknowledged records ever written to some topics. */
    private long records(List<String> topics) throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        for (TopicDescription topic :
                kafka.describeTopics(topics).allTopicNames().get().values()) {
            topic.partitions()
                    .forEach(partition ->
                            latest.put(new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest()));
        }
        return kafka.listOffsets(latest).all().get().values().stream()
                .mapToLong(end -> end.offset())
                .sum();
    }

    /** The number of records of {@code bmp.routes} that a lane has stored durably. */
    private long offset(String lane) throws SQLException {
        try (PreparedStatement statement = database.prepareStatement(
                "SELECT coalesce(sum(next_offset), 0) FROM bmp.lane_offset WHERE lane = ? AND topic = ?")) {
            statement.setString(1, lane);
            statement.setString(2, ROUTES_TOPIC);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        kafka.close();
        database.close();
    }
}
