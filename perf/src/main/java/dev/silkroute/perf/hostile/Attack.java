package dev.silkroute.perf.hostile;

import dev.silkroute.net.ByteSink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A running flood over some connections. Ends with {@link #close}. */
final class Attack implements AutoCloseable {
    private static final int CHUNK = 64 << 10;

    private final Flood flood;
    private final int port;
    private final boolean fromOneAddress;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong connected = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    private Attack(Flood flood, int port, boolean fromOneAddress) {
        this.flood = flood;
        this.port = port;
        this.fromOneAddress = fromOneAddress;
    }

    /** @param fromOneAddress whether all connections come from the address of the good router, or each from its own */
    static Attack begin(Flood flood, int port, int connections, boolean fromOneAddress) {
        Attack attack = new Attack(flood, port, fromOneAddress);
        for (int i = 0; i < connections; i++) {
            int number = i;
            attack.threads.add(Thread.ofVirtual().start(() -> attack.run(number)));
        }
        return attack;
    }

    private void run(int number) {
        for (int session = 0; !over; session++) {
            // As an attacker does whose connection is closed: it opens another one
            try (Socket socket = connect(number)) {
                try {
                    send(socket, number, session);
                } finally {
                    sockets.remove(socket);
                }
            } catch (IOException e) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }
    }

    private Socket connect(int number) throws IOException {
        InetAddress from = fromOneAddress
                ? InetAddress.getLoopbackAddress()
                : InetAddress.getByAddress(
                        new byte[] {127, 0, (byte) (1 + flood.ordinal()), (byte) (1 + number % 200)});
        Socket socket = new Socket();
        // Otherwise the kernel holds more megabytes of each connection, which arrive long after the flood
        try {
            socket.setSendBufferSize(CHUNK);
            socket.bind(new InetSocketAddress(from, 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        sockets.add(socket);
        connected.incrementAndGet();
        return socket;
    }

    private void send(Socket socket, int number, int session) throws IOException {
        Random random = new Random(number * 1_000_003L + session);
        write(socket, flood.beginning("hostile-" + flood.ordinal() + "-" + number + "-" + session));
        if (flood.reconnects()) {
            return;
        }
        ByteSink chunk = new ByteSink();
        for (int message = 0; !over; ) {
            if (flood.isSilent()) {
                if (socket.getInputStream().read() < 0) {
                    return;
                }
                continue;
            }
            chunk.reset();
            while (chunk.position() < CHUNK) {
                flood.message(random, message++, chunk);
            }
            write(socket, chunk.toByteArray());
        }
    }

    private void write(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        sent.addAndGet(bytes.length);
    }

    long sent() {
        return sent.get();
    }

    long connected() {
        return connected.get();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        over = true;
        for (Socket socket : sockets) {
            socket.close();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
