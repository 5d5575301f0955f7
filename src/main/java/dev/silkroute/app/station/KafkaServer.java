package dev.silkroute.app.station;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;

/** The Kafka cluster that a station uses, embedded or given: found to answer, its topics made. */
final class KafkaServer {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int ANSWER_SECONDS = 15;
    private static final int LARGEST_PORT = 65_535;

    private KafkaServer() {}

    /** Refused or silent servers are found by a plain connection: Kafka's client would retry without a word. */
    static void check(String bootstrap) {
        OperatorError refused = null;
        for (var server : bootstrap.split(",", -1)) {
            try {
                connect(server.strip());
                return;
            } catch (IOException e) {
                refused = new OperatorError("cannot reach Kafka at " + bootstrap + ": " + OperatorError.reason(e), e);
            }
        }
        throw refused == null ? new OperatorError("--kafka-bootstrap names no server") : refused;
    }

    /** @return {@link Topics#newestSession} */
    static long prepare(KafkaAccess kafka, Settings settings) {
        try (var admin = kafka.admin("silkroute-start", Duration.ofSeconds(ANSWER_SECONDS))) {
            admin.describeCluster().clusterId().get(ANSWER_SECONDS, TimeUnit.SECONDS);
            Topics.create(admin, settings);
            return Topics.newestSession(admin);
        } catch (ExecutionException | TimeoutException e) {
            var said =
                    e.getCause() instanceof AuthenticationException ? " refuses the station: " : " does not answer: ";
            throw new OperatorError("Kafka at " + kafka + said + OperatorError.reason(e), e);
        } catch (KafkaException e) {
            throw new OperatorError("Kafka at " + kafka + " can't be used: " + OperatorError.reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatorError("interrupted while asking Kafka", e);
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
        return text.matches("\\d{1,5}") && Integer.parseInt(text) <= LARGEST_PORT;
    }
}
