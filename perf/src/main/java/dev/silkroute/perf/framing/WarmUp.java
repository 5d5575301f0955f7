package dev.silkroute.perf.framing;

import dev.silkroute.app.embedded.Ports;
import java.io.IOException;
import java.net.Socket;

/**
 * One small session before each run: the producer has then met the broker, and no arm pays for that while it is timed.
 */
final class WarmUp {
    private static final int SESSION = 1000;

    private WarmUp() {}

    static void send(CollectorVariant arm) throws IOException {
        try (Socket socket = new Socket(Ports.LOOPBACK, arm.port())) {
            socket.getOutputStream().write(BmpStream.initiation(SESSION));
            Waiting.until(() -> arm.openSessions() == 1, "the first session");
        }
        Waiting.until(() -> arm.openSessions() == 0, "the first session's record");
    }

    static void expect(TopicCheck check) {
        check.expect(BmpStream.router(SESSION), BmpStream.initiation(SESSION), new byte[0], 1);
    }
}
