package dev.silkroute.perf.hostile;

import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.update;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Sessions that announce one route at their beginning and then stay, each from an address of its own. */
final class QuietSessions implements AutoCloseable {
    private final List<Socket> sockets = new ArrayList<>();
    private final AtomicInteger lost = new AtomicInteger();
    private volatile boolean over;

    static QuietSessions open(int port, int count) throws IOException {
        QuietSessions sessions = new QuietSessions();
        for (int i = 0; i < count; i++) {
            sessions.open(port, (byte) (i >> 7 & 0xFF), (byte) (1 + (i & 0x7F)), "quiet-" + i);
        }
        return sessions;
    }

    private void open(int port, byte third, byte fourth, String name) throws IOException {
        InetAddress from = InetAddress.getByAddress(new byte[] {127, 1, third, fourth});
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
        byte[] route = {32, 11, 0, third, fourth};
        socket.getOutputStream()
                .write(join(
                        initiation(name), peerUp("192.0.2.77"), monitoring(update(new byte[0], attributes(), route))));
        sockets.add(socket);
        Thread.ofVirtual().start(() -> awaitEnd(socket));
    }

    /** A station sends nothing, so a read returns when the session has ended. */
    private void awaitEnd(Socket socket) {
        try {
            socket.getInputStream().read();
        } catch (IOException e) {
            // also the end
        }
        if (!over) {
            lost.incrementAndGet();
        }
    }

    int count() {
        return sockets.size();
    }

    /** Returns how many sessions the station has ended. */
    int lost() {
        return lost.get();
    }

    @Override
    public void close() throws IOException {
        over = true;
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
