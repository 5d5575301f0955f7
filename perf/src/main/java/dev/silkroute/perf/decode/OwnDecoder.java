package dev.silkroute.perf.decode;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Our decoder in its own process, controlled like the others (see {@code perf/contenders}): whole passes over a
 * stream until so many CPU seconds are used, or one pass that counts.
 */
final class OwnDecoder {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private OwnDecoder() {}

    /** Arguments: depth, bytes of a batch, then the streams: session files separated by commas. */
    public static void main(String[] arguments) throws IOException {
        Depth depth = Depth.valueOf(arguments[0]);
        int batch = Integer.parseInt(arguments[1]);
        List<List<List<byte[]>>> streams = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++) {
            List<List<byte[]>> sessions = new ArrayList<>();
            for (String name : arguments[i].split(",", -1)) {
                sessions.add(Batches.of(Files.readAllBytes(Path.of(name)), batch));
            }
            streams.add(sessions);
        }
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line;
        while ((line = in.readLine()) != null) {
            String[] words = line.split(" ", -1);
            List<List<byte[]>> stream = streams.get(Integer.parseInt(words[1]));
            System.out.println(
                    words[0].equals("count")
                            ? count(stream)
                            : decode(depth.reader(), stream, Double.parseDouble(words[2])));
        }
    }

    private static String count(List<List<byte[]>> stream) {
        Fields fields = new Fields();
        DecodePass pass = new DecodePass(fields);
        stream.forEach(pass::session);
        return fields.counts(pass.messages(), pass.errors()).text();
    }

    private static String decode(RecordReader reader, List<List<byte[]>> stream, double seconds) {
        DecodePass pass = new DecodePass(reader);
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long cpu = SYSTEM.getProcessCpuTime();
        long start = System.nanoTime();
        int passes = 0;
        while (passes == 0 || SYSTEM.getProcessCpuTime() - cpu < seconds * 1e9) {
            stream.forEach(pass::session);
            passes++;
        }
        long nanos = System.nanoTime() - start;
        return "passes=%d nanos=%d cpu=%d bytes=%d sum=%s"
                .formatted(
                        passes,
                        nanos,
                        SYSTEM.getProcessCpuTime() - cpu,
                        THREADS.getCurrentThreadAllocatedBytes() - allocated,
                        Long.toUnsignedString(reader.sum()));
    }
}
