package dev.silkroute.component.replay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A station that records the bytes of each connection. It can delay reading and reset connections. Thread-safe. */
public final class Sink implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;
    private static final int BACKLOG = 1024;

    private final ServerSocket server;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile int[] closeAfter = {Integer.MAX_VALUE};
    private volatile byte[] greeting = new byte[0];

    public Sink() throws IOException {
        this(0);
    }

    /** @param port 0 for any free port */
    public Sink(int port) throws IOException {
        server = new ServerSocket();
        // A small buffer, inherited by accepted connections, so that a sink that does not read blocks the sender soon.
        server.setReceiveBufferSize(BUFFER);
        // Connections beyond the backlog would be tried again only after seconds.
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        Thread.ofVirtual().start(this::accept);
    }

    /** Delays reading until {@link #open()} is called. */
    public Sink closed() {
        gate = new CountDownLatch(1);
        return this;
    }

    public void open() {
        gate.countDown();
    }

    /**
     * Resets the n-th connection after the n-th number of bytes; the last number applies to all further connections.
     */
    public Sink closeAfter(int... bytes) {
        closeAfter = bytes;
        return this;
    }

    /** Sends bytes on each connection, which a BMP station does not do. */
    public Sink greeting(byte[] bytes) {
        greeting = bytes;
        return this;
    }

    public int port() {
        return server.getLocalPort();
    }

    public String address() {
        return "127.0.0.1:" + port();
    }

    public List<Connection> connections() {
        return connections;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                Connection connection = new Connection(socket, connections.size());
                connections.add(connection);
                Thread.ofVirtual().start(() -> read(socket, connection));
            }
        } catch (IOException e) {
            // The server socket was closed.
        }
    }

    private int maxBytes(Connection connection) {
        int[] limits = closeAfter;
        return limits[Math.min(connection.number, limits.length - 1)];
    }

    private void read(Socket socket, Connection connection) {
        try (socket) {
            gate.await();
            socket.getOutputStream().write(greeting);
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[BUFFER];
            int read = 0;
            while (read >= 0 && connection.size() < maxBytes(connection)) {
                connection.add(buffer, read);
                read = in.read(buffer, 0, Math.min(buffer.length, maxBytes(connection) - connection.size()));
            }
            // Otherwise Java sends FIN before the reset that unread bytes cause, and the peer may see the FIN only.
            socket.setSoLinger(read >= 0, 0);
            connection.ended = read < 0 ? "FIN" : "closed by us";
        } catch (IOException e) {
            connection.ended = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** One connection and its bytes. */
    public static final class Connection {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Socket socket;
        private final int number;
        private volatile String ended;

        private Connection(Socket socket, int number) {
            this.socket = socket;
            this.number = number;
        }

        /** Resets the connection. */
        public void hangUp() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        /** Returns the peer's address. */
        public InetAddress remote() {
            return socket.getInetAddress();
        }

        private synchronized void add(byte[] buffer, int length) {
            bytes.write(buffer, 0, length);
        }

        public synchronized int size() {
            return bytes.size();
        }

        public synchronized byte[] bytes() {
            return bytes.toByteArray();
        }

        /** Returns how the connection ended, or null while it is open. */
        public String ended() {
            return ended;
        }
    }
}
