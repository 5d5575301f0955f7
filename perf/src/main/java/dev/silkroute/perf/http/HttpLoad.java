package dev.silkroute.perf.http;

import dev.silkroute.perf.decode.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs {@code h2load} of nghttp2 in a process of its own and reads its log, which has a line for each request: when it
 * was sent, its status, and the microseconds until the end of the response.
 */
final class HttpLoad {
    private static final int OK = 200;
    private static final int MILLIS = 1_000;

    private final String program;
    private final Path folder;

    private HttpLoad(String program, Path folder) {
        this.program = program;
        this.folder = folder;
    }

    /** @throws IOException if h2load is not installed */
    static HttpLoad find(Path folder) throws IOException {
        String program = Tools.find("h2load")
                .orElseThrow(() -> new IOException("h2load is not on the PATH; Debian has it in nghttp2-client"));
        return new HttpLoad(program, folder);
    }

    /**
     * The requests of a run.
     *
     * @param micros until the end of each response, sorted
     * @param failed responses with another status than 200, and requests without a response
     */
    record Requests(double seconds, double[] micros, long failed) {
        double perSecond() {
            return micros.length / seconds;
        }

        /** Returns the milliseconds within which a share of the requests was answered. */
        double millis(double share) {
            return micros.length == 0
                    ? 0
                    : micros[(int) Math.min(micros.length - 1L, Math.round(share * micros.length))] / 1e3;
        }
    }

    /**
     * Sends requests at a rate, at equal intervals: each connection begins so much later than the one before. They wait
     * for their responses.
     */
    Requests atRate(Path urls, int connections, int perSecond, int seconds) throws IOException, InterruptedException {
        int perMilli = Math.max(1, perSecond / MILLIS);
        return run(
                seconds,
                "-i",
                urls.toString(),
                "-c",
                Integer.toString(connections),
                "-n",
                Integer.toString(perSecond * seconds),
                "-r",
                Integer.toString(Math.min(perMilli, connections)),
                "--rate-period=" + Math.max(1, MILLIS / perSecond) + "ms",
                "--rps",
                Double.toString((double) perSecond / connections));
    }

    /** Sends requests at a rate, those of all connections at the same moment. */
    Requests inBursts(Path urls, int connections, int perSecond, int seconds) throws IOException, InterruptedException {
        return run(
                seconds,
                "-i",
                urls.toString(),
                "-c",
                Integer.toString(connections),
                "-D",
                Integer.toString(seconds),
                "--rps",
                Double.toString((double) perSecond / connections));
    }

    /** Each connection sends its next request when it has the response to the one before. */
    Requests saturating(Path urls, int connections, int seconds) throws IOException, InterruptedException {
        return run(
                seconds, "-i", urls.toString(), "-c", Integer.toString(connections), "-D", Integer.toString(seconds));
    }

    Requests times(Path urls, int connections, int requests) throws IOException, InterruptedException {
        return run(0, "-i", urls.toString(), "-c", Integer.toString(connections), "-n", Integer.toString(requests));
    }

    private Requests run(int seconds, String... options) throws IOException, InterruptedException {
        Path log = folder.resolve("requests.log");
        Path output = folder.resolve("h2load.out");
        Files.deleteIfExists(log);
        List<String> command = new ArrayList<>(List.of(program, "--h1", "-m", "1", "--log-file", log.toString()));
        command.addAll(List.of(options));
        long start = System.nanoTime();
        int exit = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        double elapsed = (System.nanoTime() - start) / 1e9;
        if (exit != 0) {
            throw new IOException("h2load failed, see " + output);
        }
        try (Stream<String> lines = Files.lines(log)) {
            long[] failed = new long[1];
            double[] micros = lines.map(line -> line.split("\t", -1))
                    .filter(fields -> isOk(fields, failed))
                    .mapToDouble(fields -> Double.parseDouble(fields[2]))
                    .toArray();
            Arrays.sort(micros);
            return new Requests(seconds == 0 ? elapsed : seconds, micros, failed[0]);
        }
    }

    private static boolean isOk(String[] fields, long[] failed) {
        boolean ok = Integer.parseInt(fields[1]) == OK;
        if (!ok) {
            failed[0]++;
        }
        return ok;
    }
}
