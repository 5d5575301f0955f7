package dev.silkroute.perf.postgres;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns of several arms in rounds: A B C, B C A, C A B …, so that what else the machine does meets all alike. */
public final class Rounds {
    private final Server server;

    public Rounds(Server server) {
        this.server = server;
    }

    /** Returns the contenders with these names. An unknown name is an error, because nothing would be measured. */
    public static List<StorageContender> only(List<StorageContender> arms, List<String> names) {
        List<String> known = arms.stream().map(StorageContender::name).toList();
        if (!known.containsAll(names)) {
            throw new IllegalArgumentException("--only: the arms are " + String.join("; ", known));
        }
        return arms.stream().filter(arm -> names.contains(arm.name())).toList();
    }

    /** @param warmUp rounds before those that count */
    public void measure(List<? extends StorageContender> arms, int warmUp, int rounds) throws Exception {
        for (int round = -warmUp; round < rounds; round++) {
            for (int i = 0; i < arms.size(); i++) {
                StorageContender arm = arms.get(Math.floorMod(round + i, arms.size()));
                StorageContender.Turn turn = turn(arm);
                double events = arm.feed().events();
                System.err.printf(
                        "round %d, %-24s %7.3f s, %8.0f events/s, server %5.2f, client %5.2f CPU µs/event, WAL %6.1f, disk %6.1f B/event%s%n",
                        round,
                        arm.name(),
                        turn.usage().seconds(),
                        events / turn.usage().seconds(),
                        turn.usage().serverCpuSeconds() / events * 1e6,
                        turn.usage().clientCpuSeconds() / events * 1e6,
                        turn.usage().walBytes() / events,
                        turn.grown() / events,
                        turn.later() == null ? "" : ", later " + turn.later());
                if (round >= 0) {
                    arm.keep(turn);
                }
            }
        }
    }

    /** Runs an arm once in a database, which is left as it is then. */
    public static void once(Server server, StorageContender arm, Database database) throws Exception {
        new Rounds(server).run(arm, database);
    }

    private StorageContender.Turn turn(StorageContender arm) throws Exception {
        if (arm.copies()) {
            Database copy = server.create("turn", arm.database());
            try {
                return run(arm, copy);
            } finally {
                copy.drop();
            }
        }
        try (Database database = server.open(arm.database())) {
            arm.reset(database);
            return run(arm, database);
        }
    }

    private StorageContender.Turn run(StorageContender arm, Database database) throws Exception {
        @Nullable ResourceUsage later = null;
        try {
            arm.prepare(database);
            long before = arm.size(database);
            System.gc();
            server.checkpoint();
            double other = arm.otherCpuSeconds();
            Meter meter = server.meter();
            arm.run(database);
            ResourceUsage usage = meter.stop();
            other = arm.otherCpuSeconds() - other;
            usage = new ResourceUsage(
                    usage.seconds(), usage.serverCpuSeconds(), usage.clientCpuSeconds() + other, usage.walBytes());
            long grown = arm.size(database) - before;
            Meter meterOfLater = server.meter();
            if (arm.later(database)) {
                later = meterOfLater.stop();
            }
            long grownLater = arm.size(database) - before;
            return new StorageContender.Turn(usage, later, grown, grownLater, arm.check(database));
        } finally {
            arm.end();
        }
    }
}
