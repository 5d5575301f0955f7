package dev.silkroute.perf.replay;

import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.SessionReader;
import dev.silkroute.capture.packet.PacketFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The baseline: one thread that sleeps and writes. Its deviations are those of the machine. */
final class BaselineReplay {
    private BaselineReplay() {}

    static void send(Path capture, int port) throws IOException {
        List<byte[]> pieces = new ArrayList<>();
        List<Long> times = new ArrayList<>();
        CaptureFile file = CaptureFile.open(capture, PacketFormat.AND_RAW);
        try (SessionReader reader = file.read(file.survey().sessions().getFirst())) {
            while (reader.next()) {
                pieces.add(Arrays.copyOfRange(reader.bytes(), reader.from(), reader.to()));
                times.add(reader.timeNanos());
            }
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            long origin = System.nanoTime() - times.getFirst();
            for (int i = 0; i < pieces.size(); i++) {
                long due = origin + times.get(i);
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                out.write(pieces.get(i));
            }
        }
    }
}
