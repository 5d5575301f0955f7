package dev.silkroute.perf.framing;

import dev.silkroute.app.embedded.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The main class of the senders' own JVM: routers that send as fast as they are read from. Argument: the file with the
 * messages. It reads {@code connect PORT SESSIONS PASSES} from standard input, replies {@code connected}, reads
 * {@code go}, answers {@code sent} once every session is written and closed, and ends when stdin does.
 */
public final class Sender {
    private Sender() {}

    public static void main(String[] arguments) throws Exception {
        byte[] bytes = Files.readAllBytes(Path.of(arguments[0]));
        ByteBuffer body = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", -1);
                int passes = Integer.parseInt(words[3]);
                List<SocketChannel> sessions = connect(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                System.out.println("connected");
                in.readLine();
                List<Future<?>> sent = new ArrayList<>();
                for (int i = 0; i < sessions.size(); i++) {
                    int session = i;
                    sent.add(threads.submit(() -> {
                        send(sessions.get(session), BmpStream.initiation(session), body, passes);
                        return null;
                    }));
                }
                for (Future<?> each : sent) {
                    each.get();
                }
                System.out.println("sent");
            }
        }
    }

    private static List<SocketChannel> connect(int port, int sessions) throws IOException {
        List<SocketChannel> connected = new ArrayList<>();
        for (int i = 0; i < sessions; i++) {
            connected.add(SocketChannel.open(new InetSocketAddress(Ports.LOOPBACK, port)));
        }
        return connected;
    }

    private static void send(SocketChannel session, byte[] initiation, ByteBuffer body, int passes) throws IOException {
        try (session) {
            for (int pass = 0; pass < passes; pass++) {
                writeAll(session, ByteBuffer.wrap(initiation));
                writeAll(session, body.duplicate());
            }
        }
    }

    private static void writeAll(SocketChannel session, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            session.write(bytes);
        }
    }
}
