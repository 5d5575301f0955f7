package dev.silkroute.app.store;

import dev.silkroute.fixture.TestPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.camel.CamelContext;
import org.jboss.logmanager.Level;
import org.jboss.logmanager.LogContext;

/**
 * A writer in a JVM of its own, so that it can be killed: arguments are the topics' suffix, Kafka, the database, the
 * routes.
 */
final class LaneProcess {
    private LaneProcess() {}

    public static void main(String[] args) throws Exception {
        // Without a station, Quarkus' log handler keeps all log records, and with them each exchange.
        LogContext.getLogContext().getLogger("").setLevel(Level.WARN);
        CamelContext context = LaneHarness.station(
                TestPostgres.at(args[2]),
                args[1],
                LaneHarness.topics(args[0]),
                new io.micrometer.core.instrument.simple.SimpleMeterRegistry(),
                List.of(args).subList(3, args.length).toArray(String[]::new));
        context.start();
        while (System.in.read() >= 0) {} // ends with the test, however that ends
        Runtime.getRuntime().halt(0);
    }

    static Process start(String suffix, String kafka, String url, String... routes) throws IOException {
        List<String> command = new java.util.ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LaneProcess.class.getName(),
                suffix,
                kafka,
                url));
        command.addAll(List.of(routes));
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
