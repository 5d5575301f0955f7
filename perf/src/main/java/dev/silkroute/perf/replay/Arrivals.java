package dev.silkroute.perf.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;

/** A station that notes when how many bytes of its one connection were there. */
final class Arrivals implements AutoCloseable {
    private final ServerSocket server;
    private long[] bytes = new long[1 << 16];
    private long[] nanos = new long[1 << 16];
    private int size;

    Arrivals() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    int port() {
        return server.getLocalPort();
    }

    /** Reads the connection to its end. */
    void read() {
        byte[] buffer = new byte[1 << 16];
        long total = 0;
        try (Socket socket = server.accept();
                InputStream in = socket.getInputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                total += read;
                add(total, System.nanoTime());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(long total, long now) {
        if (size == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * size);
            nanos = Arrays.copyOf(nanos, 2 * size);
        }
        bytes[size] = total;
        nanos[size++] = now;
    }

    /** Returns the time when this many bytes of the stream had arrived. */
    long nanosOf(long streamBytes) {
        int found = Arrays.binarySearch(bytes, 0, size, streamBytes);
        int at = found >= 0 ? found : -found - 1;
        if (at == size) {
            throw new IllegalStateException("only " + (size == 0 ? 0 : bytes[size - 1]) + " bytes came");
        }
        return nanos[at];
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
