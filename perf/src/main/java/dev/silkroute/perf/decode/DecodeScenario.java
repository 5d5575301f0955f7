package dev.silkroute.perf.decode;

import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** BMP messages decoded by one thread: ours, GoBGP's packet/bmp, NetGauze's codec. */
@Command(
        name = "decode",
        description = "BMP messages decoded by one thread: ours, GoBGP's packet/bmp (Go), NetGauze's codec (Rust).")
public final class DecodeScenario extends Scenario {
    @Option(names = "--rounds", defaultValue = "15", description = "Measured rounds: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "5", description = "Rounds before those: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(
            names = "--seconds",
            defaultValue = "1",
            description = "CPU seconds that a contender has in a round: ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(
            names = "--messages",
            defaultValue = "200000",
            description = "UPDATEs of the synthetic stream: ${DEFAULT-VALUE}.")
    private int messages;

    @Option(
            names = "--batch",
            defaultValue = "1048576",
            description = "Bytes of a batch of ours, the station's most by default: ${DEFAULT-VALUE}.")
    private int batch;

    @Option(names = "--captures", description = "Folder of recorded sessions, .bmp.gz; by default the tests'.")
    private Path captures = HOME.resolve("../src/test/resources/captures");

    @Option(names = "--public", description = "Folder of other projects' captures; without it they are left out.")
    private @Nullable Path publicCaptures;

    @Override
    public Integer call() throws Exception {
        List<Stream> streams = streams(folder());
        Opponents opponents = new Opponents(HOME);
        List<Contender> contenders = new ArrayList<>();
        try {
            for (Depth depth : Depth.values()) {
                contenders.add(Contender.start("ours" + depth.suffix(), "decode", own(depth, batch), streams));
            }
            contenders.addAll(opponents.start(streams, Depth.ROUTES, Depth.FIELDS));
            for (Stream stream : streams) {
                measure(contenders, stream);
            }
            Comparison comparison = new Comparison(contenders, streams);
            List<Line> lines = new ArrayList<>(comparison.lines());
            publicLine(lines);
            String conditions = "batches of " + batch + " bytes";
            for (var missing : opponents.missing().entrySet()) {
                conditions += "; " + missing.getKey() + " not measured: " + missing.getValue();
            }
            publish(conditions, lines, comparison.information());
        } finally {
            for (Contender contender : contenders) {
                contender.close();
            }
        }
        return 0;
    }

    static List<String> own(Depth depth, int batch) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms512m",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                OwnDecoder.class.getName(),
                depth.name(),
                Integer.toString(batch));
    }

    /** Rounds A B C, B C A, C A B …: what else the machine does meets all contenders alike. */
    private void measure(List<Contender> contenders, Stream stream) throws IOException {
        for (int round = -warmUp; round < rounds; round++) {
            for (int i = 0; i < contenders.size(); i++) {
                Contender contender = contenders.get(Math.floorMod(round + i, contenders.size()));
                Contender.Run run = contender.decode(stream, seconds);
                System.err.printf(
                        "%s, round %d, %-13s %9.0f messages/CPU s, %9.0f messages/s, %6.0f B/message%n",
                        stream.name(), round, contender.name(), run.perCpuSecond(), run.perSecond(), run.allocated());
                if (round >= 0) {
                    contender.keep(stream, run);
                }
            }
        }
    }

    private List<Stream> streams(Path folder) throws IOException {
        Path synthetic = Files.write(folder.resolve("synthetic.bmp"), SyntheticStream.of(messages));
        List<Path> recorded = new ArrayList<>();
        for (Path file : sessions(captures)) {
            Path plain = folder.resolve(file.getFileName().toString().replace(".gz", ""));
            try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                Files.copy(in, plain, StandardCopyOption.REPLACE_EXISTING);
            }
            recorded.add(plain);
        }
        Stream first = new Stream(0, "synthetic", List.of(synthetic));
        return recorded.isEmpty() ? List.of(first) : List.of(first, new Stream(1, "recorded", recorded));
    }

    private static List<Path> sessions(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".bmp.gz"))
                    .sorted()
                    .toList();
        }
    }

    private void publicLine(List<Line> lines) throws IOException {
        if (publicCaptures == null) {
            return;
        }
        List<Path> files = sessions(publicCaptures);
        if (!files.isEmpty()) {
            PublicCaptures found = PublicCaptures.of(files);
            lines.add(Line.higher(
                    "messages of the public captures decoded with per-attribute reports",
                    "all messages in them",
                    "messages",
                    new double[] {(double) found.decoded() / found.messages()},
                    1.0,
                    1.0,
                    "%d of %d messages in %d sessions framed, decoded, not in quarantine"
                            .formatted(found.decoded(), found.messages(), files.size())));
        }
    }
}
