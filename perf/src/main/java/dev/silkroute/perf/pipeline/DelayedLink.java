package dev.silkroute.perf.pipeline;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A network to a server on this machine that takes its time: each byte arrives so much later, whatever is on the way
 * already.
 */
public final class DelayedLink implements AutoCloseable {
    private static final int CHUNK = 1 << 16;
    private static final int ON_THE_WAY = 4_096;

    private final ServerSocket listener;
    private final int server;
    private final long delay;

    /** Bytes and when they arrive. Nothing of length 0 is the end. */
    private record Chunk(byte[] bytes, long due) {}

    /** @param delay in each direction */
    public DelayedLink(int serverPort, Duration delay) throws IOException {
        server = serverPort;
        this.delay = delay.toNanos();
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    private static void start(Runnable work) {
        Thread.ofPlatform().daemon().name("link").start(work);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server);
                client.setTcpNoDelay(true);
                upstream.setTcpNoDelay(true);
                carry(client, upstream);
                carry(upstream, client);
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void carry(Socket from, Socket to) {
        BlockingQueue<Chunk> way = new ArrayBlockingQueue<>(ON_THE_WAY);
        start(() -> read(from, way));
        start(() -> write(way, from, to));
    }

    private void read(Socket from, BlockingQueue<Chunk> way) {
        byte[] bytes = new byte[CHUNK];
        try {
            try (InputStream in = from.getInputStream()) {
                for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                    way.put(new Chunk(Arrays.copyOf(bytes, length), System.nanoTime() + delay));
                }
            } catch (IOException e) {
                // as good as the end
            }
            way.put(new Chunk(new byte[0], System.nanoTime() + delay));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(BlockingQueue<Chunk> way, Socket from, Socket to) {
        try (from;
                to;
                OutputStream out = to.getOutputStream()) {
            for (Chunk next = way.take(); next.bytes.length > 0; next = way.take()) {
                for (long left = next.due - System.nanoTime(); left > 0; left = next.due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                out.write(next.bytes);
            }
        } catch (IOException e) {
            // the other side has closed the connection
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
