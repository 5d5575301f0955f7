package dev.silkroute.perf.hostile;

import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.bmp;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.local;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.open;
import static dev.silkroute.fixture.TestMessages.peerHeader;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.update;

import dev.silkroute.net.ByteSink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A router that announces a new route, reports statistics and brings a peer up or down at intervals, and sees in the
 * database when each arrives there. All of a lane arrive in their order, so counting is enough.
 */
final class GoodRouter implements AutoCloseable {
    private static final String NAME = "good";
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A lane with the query that counts what it has stored of the router. */
    enum Lane {
        CURRENT("SELECT count(*) FROM bmp.rib_route t JOIN bmp.peer p USING (peer_id) JOIN bmp.router r USING (router_id)"
                + " WHERE r.name = ?"),
        HISTORY("SELECT count(*) FROM bmp.route_event t JOIN bmp.peer p USING (peer_id) JOIN bmp.router r USING (router_id)"
                + " WHERE r.name = ? AND action = 1"),
        PEERS("SELECT count(*) FROM bmp.peer_event t JOIN bmp.router r USING (router_id)"
                + " WHERE r.name = ? AND event IN ('peer-up', 'peer-down') AND t.address = '192.0.2.78'"),
        STATISTICS("SELECT count(*) FROM bmp.statistic t JOIN bmp.router r USING (router_id) WHERE r.name = ?");

        private final String count;

        Lane(String count) {
            this.count = count;
        }
    }

    private final Socket socket;
    private final Connection database;
    private final long intervalNanos;
    private final Map<Lane, List<Long>> sentAt = new EnumMap<>(Lane.class);
    private final Map<Lane, Integer> arrived = new EnumMap<>(Lane.class);
    private final Map<Lane, List<Double>> latencies = new EnumMap<>(Lane.class);
    private int number;

    private GoodRouter(Socket socket, Connection database, int perSecond) {
        this.socket = socket;
        this.database = database;
        intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        for (Lane lane : Lane.values()) {
            sentAt.put(lane, new ArrayList<>());
            arrived.put(lane, 0);
            latencies.put(lane, new ArrayList<>());
        }
    }

    static GoodRouter connect(int port, String jdbcUrl, int perSecond) throws IOException, SQLException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(join(initiation(NAME), peerUp("192.0.2.77")));
        return new GoodRouter(socket, DriverManager.getConnection(jdbcUrl), perSecond);
    }

    /**
     * Sends for a time, looking meanwhile, and then looks until everything has arrived.
     *
     * @return seconds until each lane had what was sent to it, sorted
     * @throws IOException if the station has closed the session
     */
    Map<Lane, double[]> run(long seconds, long limitSeconds) throws IOException, SQLException {
        latencies.values().forEach(List::clear);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long next = System.nanoTime();
        while (System.nanoTime() < end) {
            if (System.nanoTime() >= next) {
                send();
                next += intervalNanos;
            }
            look();
            LockSupport.parkNanos(LOOK_NANOS);
        }
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
        while (!isComplete() && System.nanoTime() < limit) {
            look();
            LockSupport.parkNanos(LOOK_NANOS);
        }
        Map<Lane, double[]> sorted = new EnumMap<>(Lane.class);
        latencies.forEach((lane, values) -> {
            double[] all = values.stream().mapToDouble(Double::doubleValue).toArray();
            Arrays.sort(all);
            sorted.put(lane, all);
        });
        return sorted;
    }

    private void send() throws IOException {
        byte[] route = {32, 10, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
        byte[] peer = peerHeader("192.0.2.78");
        byte[] event = number % 2 == 0 ? bmp(3, peer, local(), open(), open()) : bmp(2, peer, new byte[] {4});
        ByteSink statistics = new ByteSink();
        statistics.u32(1).u16(0).u16(4).u32(number);
        number++;
        socket.getOutputStream()
                .write(join(
                        monitoring(update(new byte[0], attributes(), route)),
                        event,
                        bmp(1, peerHeader(), statistics.toByteArray())));
        long now = System.nanoTime();
        sentAt.values().forEach(times -> times.add(now));
    }

    private void look() throws SQLException {
        for (Lane lane : Lane.values()) {
            List<Long> sent = sentAt.get(lane);
            int before = arrived.get(lane);
            if (before == sent.size()) {
                continue;
            }
            int count = Math.min(count(lane), sent.size());
            long now = System.nanoTime();
            for (int i = before; i < count; i++) {
                latencies.get(lane).add((now - sent.get(i)) / 1e9);
            }
            arrived.put(lane, Math.max(before, count));
        }
    }

    private int count(Lane lane) throws SQLException {
        try (PreparedStatement statement = database.prepareStatement(lane.count)) {
            statement.setString(1, NAME);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /** Whether every lane has everything that was sent. */
    boolean isComplete() {
        return missing() == 0;
    }

    /** How much has not arrived, over all lanes. */
    int missing() {
        int missing = 0;
        for (Lane lane : Lane.values()) {
            missing += sentAt.get(lane).size() - arrived.get(lane);
        }
        return missing;
    }

    @Override
    public void close() throws IOException, SQLException {
        socket.close();
        database.close();
    }
}
