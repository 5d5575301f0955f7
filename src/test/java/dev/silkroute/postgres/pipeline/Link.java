package dev.silkroute.postgres.pipeline;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A network between client and server that fails on request: it drops bytes and cuts connections. */
public final class Link implements AutoCloseable {
    private final ServerSocket listener;
    private final InetSocketAddress server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong requests = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong withheld = new AtomicLong();
    private final AtomicLong swallowed = new AtomicLong();
    private volatile boolean silent;

    public Link(InetSocketAddress server) throws IOException {
        this.server = server;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** From now on no byte of the server arrives. */
    public void silence() {
        silent = true;
    }

    /** Bytes of answers that were held back. */
    public long swallowed() {
        return swallowed.get();
    }

    /** As many bytes of requests still arrive, and then none. */
    public void passRequests(long bytes) {
        requests.set(bytes);
    }

    /** Returns the number of bytes of requests that were not passed on. */
    public long withheldRequests() {
        return withheld.get();
    }

    /** Cuts all connections there are, and heals for those to come. */
    public void cut() {
        sockets.forEach(Link::close);
        silent = false;
        requests.set(Long.MAX_VALUE);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket upstream = new Socket();
                upstream.connect(server);
                client.setTcpNoDelay(true);
                upstream.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(upstream);
                Thread.ofVirtual().start(() -> requests(client, upstream));
                Thread.ofVirtual().start(() -> answers(upstream, client));
            }
        } catch (IOException e) {
            sockets.forEach(Link::close);
        }
    }

    private void requests(Socket from, Socket to) {
        pump(from, to, (out, bytes, length) -> {
            long left = requests.getAndUpdate(rest -> Math.max(0, rest - length));
            int passed = (int) Math.min(left, length);
            out.write(bytes, 0, passed);
            withheld.addAndGet(length - passed);
        });
    }

    private void answers(Socket from, Socket to) {
        pump(from, to, (out, bytes, length) -> {
            if (silent) {
                swallowed.addAndGet(length);
            } else {
                out.write(bytes, 0, length);
            }
        });
    }

    /** Passes on what was read, or not. */
    private interface Passage {
        void pass(OutputStream out, byte[] bytes, int length) throws IOException;
    }

    private void pump(Socket from, Socket to, Passage passage) {
        byte[] bytes = new byte[1 << 16];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int length = in.read(bytes);
            while (length >= 0) {
                passage.pass(out, bytes, length);
                length = in.read(bytes);
            }
        } catch (IOException e) {
            // it is over either way
        }
        close(from);
        close(to);
        sockets.remove(from);
        sockets.remove(to);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
