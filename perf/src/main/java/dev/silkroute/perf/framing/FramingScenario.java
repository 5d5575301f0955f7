package dev.silkroute.perf.framing;

import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Machine;
import dev.silkroute.perf.report.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** BMP sessions from the socket to acknowledged Kafka records: with Camel, with plain Netty, with virtual threads. */
@Command(
        name = "framing",
        description =
                "BMP sessions to Kafka: the station's Camel route, plain Netty, a virtual thread for each router.")
public final class FramingScenario extends Scenario {
    @Option(
            names = "--sessions",
            split = ",",
            defaultValue = "8,1,16",
            description = "Sessions at once: ${DEFAULT-VALUE}.")
    private int[] sessions = {};

    @Option(names = "--rounds", defaultValue = "9", description = "Measured rounds of each: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "3", description = "Rounds before those: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(names = "--megabytes", defaultValue = "200", description = "Sent in each run, about: ${DEFAULT-VALUE}.")
    private int megabytes;

    @Option(names = "--stream", description = "A router's BMP session, .bmp or .bmp.gz; by default a synthetic one.")
    private @Nullable Path file;

    private final Settings settings = new Settings();
    private int runs;

    @Override
    public Integer call() throws Exception {
        BmpStream stream = file == null ? BmpStream.synthetic() : BmpStream.read(file);
        Path work = Files.createTempDirectory(Files.createDirectories(HOME.resolve("target")), "framing");
        List<Line> lines = new ArrayList<>();
        List<Map<String, Object>> information = new ArrayList<>();
        try (Broker broker = new Broker(work.resolve("kafka"));
                SenderProcess sender = SenderProcess.start(stream, work)) {
            for (int count : sessions) {
                Comparison comparison = comparison(count, broker.bootstrap());
                measure(comparison, stream, broker, sender);
                comparison.lines().forEach(lines::add);
                comparison.information().forEach(information::add);
            }
        } finally {
            Folders.delete(work);
        }
        publish(describe(stream), lines, information);
        return 0;
    }

    private Comparison comparison(int count, String bootstrap) throws Exception {
        Properties options = CamelCollector.producerOptions(bootstrap);
        return new Comparison(
                count,
                new Contender("camel", topic -> CamelCollector.start(bootstrap, topic, settings)),
                new Contender("netty", topic -> new NettyCollector(options, topic, settings)),
                new Contender("threads", topic -> new ThreadCollector(options, topic, settings)));
    }

    /** Rounds A B C, B C A, C A B …: what else the machine does meets all arms alike. */
    private void measure(Comparison comparison, BmpStream stream, Broker broker, SenderProcess sender)
            throws Exception {
        List<Contender> arms = comparison.contenders();
        int count = comparison.sessions();
        int passes = Math.max(1, (int) Math.round(megabytes * 1e6 / count / stream.bytes(0, 1)));
        for (int round = -warmUp; round < rounds; round++) {
            for (int i = 0; i < arms.size(); i++) {
                Contender arm = arms.get(Math.floorMod(round + i, arms.size()));
                Run run = run(arm, count, passes, stream, broker, sender);
                System.err.printf(
                        "%d sessions, round %d, %-7s %6.3f s, %9.0f frames/s, CPU %.2f s, broker %.2f s, %d records%n",
                        count,
                        round,
                        arm.name(),
                        run.seconds(),
                        run.messagesPerSecond(),
                        run.cpuSeconds(),
                        run.brokerCpuSeconds(),
                        run.records());
                if (round >= 0) {
                    arm.add(run);
                }
            }
        }
    }

    private Run run(Contender contender, int count, int passes, BmpStream stream, Broker broker, SenderProcess sender)
            throws Exception {
        String topic = "framing-" + contender.name() + "-" + runs++;
        broker.create(topic);
        double seconds;
        double cpu;
        double brokerCpu;
        try (CollectorVariant arm = contender.start(topic)) {
            WarmUp.send(arm);
            sender.connect(arm.port(), count, passes);
            Waiting.until(() -> arm.openSessions() == count, "sessions to be connected");
            System.gc();
            double cpuBefore = Machine.cpuSeconds();
            double brokerBefore = broker.cpuSeconds();
            long start = System.nanoTime();
            sender.go();
            sender.awaitSent();
            Waiting.until(() -> arm.openSessions() == 0, "records to be acknowledged");
            seconds = (System.nanoTime() - start) / 1e9;
            cpu = Machine.cpuSeconds() - cpuBefore;
            brokerCpu = broker.cpuSeconds() - brokerBefore;
        }
        TopicCheck check = new TopicCheck();
        WarmUp.expect(check);
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            check.expect(BmpStream.router(i), BmpStream.initiation(i), stream.body(), passes);
            bytes += stream.bytes(i, passes);
        }
        long records = check.run(broker.bootstrap(), topic) - 1;
        broker.delete(topic);
        return new Run(seconds, cpu, brokerCpu, (long) count * passes * stream.messages(), bytes, records);
    }

    private String describe(BmpStream stream) {
        return "stream %s of %d messages, %d bytes on average"
                .formatted(
                        file == null ? "synthetic" : file.getFileName(),
                        stream.messages(),
                        stream.bytes(0, 1) / stream.messages());
    }
}
