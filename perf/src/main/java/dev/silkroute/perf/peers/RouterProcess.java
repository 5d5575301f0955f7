package dev.silkroute.perf.peers;

import dev.silkroute.app.embedded.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The main class of the router's own JVM. Argument: the file with its session. For each line with a port it sends the
 * session to it, as fast as it is read, and prints {@code sent}. The connection stays open until the next line, to
 * which it responds with {@code closed}.
 */
final class RouterProcess {
    private RouterProcess() {}

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String port = in.readLine(); port != null; port = in.readLine()) {
            try (SocketChannel session =
                    SocketChannel.open(new InetSocketAddress(Ports.LOOPBACK, Integer.parseInt(port)))) {
                send(file, session);
                System.out.println("sent");
                in.readLine();
            }
            System.out.println("closed");
        }
    }

    private static void send(Path file, SocketChannel session) throws IOException {
        try (FileChannel bytes = FileChannel.open(file)) {
            for (long at = 0; at < bytes.size(); ) {
                at += bytes.transferTo(at, bytes.size() - at, session);
            }
        }
    }
}
