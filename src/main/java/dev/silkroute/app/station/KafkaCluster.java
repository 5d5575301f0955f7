package dev.silkroute.app.station;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;

/** The Kafka cluster that a station uses, embedded or external: checks that it responds and creates the topics. */
final class KafkaCluster {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int TIMEOUT_SECONDS = 15;
    private static final int MAX_PORT = 65_535;

    private KafkaCluster() {}

    /**
     * Checks that one of the servers accepts a TCP connection. Kafka's client would retry silently.
     *
     * @throws OperatorError if none does
     */
    static void check(String bootstrap) {
        OperatorError failure = null;
        for (var server : bootstrap.split(",", -1)) {
            try {
                connect(server.strip());
                return;
            } catch (IOException e) {
                failure = new OperatorError("cannot reach Kafka at " + bootstrap + ": " + OperatorError.reason(e), e);
            }
        }
        throw failure == null ? new OperatorError("--kafka-bootstrap contains no server") : failure;
    }

    /**
     * Creates the station's topics.
     *
     * @return the result of {@link StationTopics#newestSession}
     */
    static long prepare(KafkaAccess kafka, StationConfig config) {
        try (var admin = kafka.admin("silkroute-start", Duration.ofSeconds(TIMEOUT_SECONDS))) {
            int brokers = admin.describeCluster()
                    .nodes()
                    .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .size();
            StationTopics.create(admin, config, brokers);
            return StationTopics.newestSession(admin, config);
        } catch (ExecutionException | TimeoutException e) {
            var problem =
                    e.getCause() instanceof AuthenticationException ? " rejects the station: " : " does not respond: ";
            throw new OperatorError("Kafka at " + kafka + problem + OperatorError.reason(e), e);
        } catch (KafkaException e) {
            throw new OperatorError("cannot connect to Kafka at " + kafka + ": " + OperatorError.reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatorError("interrupted while connecting to Kafka", e);
        }
    }

    private static void connect(String server) throws IOException {
        int colon = server.lastIndexOf(':');
        if (colon < 1 || !isPort(server.substring(colon + 1))) {
            throw new OperatorError("'" + server + "' is not a Kafka server as HOST:PORT (--kafka-bootstrap)");
        }
        var host = server.substring(0, colon).replaceAll("^\\[|]$", "");
        var address = new InetSocketAddress(host, Integer.parseInt(server.substring(colon + 1)));
        if (address.isUnresolved()) {
            throw new IOException("unknown host " + host);
        }
        try (var socket = new Socket()) {
            socket.connect(address, CONNECT_MILLIS);
        }
    }

    private static boolean isPort(String text) {
        return text.matches("\\d{1,5}") && Integer.parseInt(text) <= MAX_PORT;
    }
}
