package dev.silkroute.app.station;

import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.ExitCode;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code silkroute run}: runs a station on this machine. */
@Command(
        name = "run",
        exitCodeOnExecutionException = ExitCode.USAGE_ERROR,
        description =
                "Runs the station: collector, writers, RIB and API, with embedded Kafka and PostgreSQL unless external"
                        + " ones are given.",
        footer = {
            "",
            "Each key of the configuration can also be set by an environment variable (SILKROUTE_BMP_PORT) or in"
                    + " config/application.properties (silkroute.bmp-port=11019)."
        })
public class RunCommand extends ConsoleCommand {
    @Option(
            names = "--bmp-port",
            paramLabel = "PORT",
            description = "Port for BMP sessions, 0 for any free port (${DEFAULT-VALUE})")
    int bmpPort;

    @Option(
            names = "--bmp-host",
            paramLabel = "ADDRESS",
            description = "Address to accept BMP sessions on (${DEFAULT-VALUE})")
    String bmpHost = "";

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "Port of the API, health and metrics, 0 for any free port (${DEFAULT-VALUE})")
    int httpPort;

    @Option(names = "--http-host", paramLabel = "ADDRESS", description = "Address to serve HTTP on (${DEFAULT-VALUE})")
    String httpHost = "";

    @Option(
            names = "--management-port",
            paramLabel = "PORT",
            description = "Port of health, metrics and the console, 0 for any free port (9000, or any free one if that"
                    + " is in use)")
    @Nullable
    Integer managementPort;

    @Option(
            names = "--management-host",
            paramLabel = "ADDRESS",
            description = "Address to serve health, metrics and the console on (${DEFAULT-VALUE})")
    String managementHost = "";

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Directory for all data, kept across restarts (${DEFAULT-VALUE})")
    @Nullable
    Path dataDirectory;

    @Option(
            names = "--kafka-bootstrap",
            paramLabel = "HOST:PORT,…",
            description = "Kafka cluster to use instead of the embedded broker")
    @Nullable
    String kafkaBootstrap;

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            description = "PostgreSQL database to use instead of the embedded server")
    @Nullable
    String jdbcUrl;

    @Option(
            names = "--routes-dir",
            paramLabel = "DIR",
            description = "Your routes (*.yaml, *.xml), which replace packaged ones of the same name or add to them;"
                    + " reloaded on change")
    @Nullable
    Path routesDirectory;

    @Option(
            names = "--roles",
            paramLabel = "ROLE,…",
            description = "Roles of this station: collector, writer, rib, api (${DEFAULT-VALUE})")
    String roles = "";

    @Option(names = "--verbose", description = "Log more, and the stack trace of a failed start")
    boolean verbose;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "Any key of the configuration, such as -Dsilkroute.state.stale-timeout=1h")
    Map<String, String> keys = new TreeMap<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private final Configuration configuration;

    public RunCommand(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public Integer call() {
        var config = config();
        // Quarkus reads system properties; of its sources, they have the highest precedence.
        given().forEach(System::setProperty);
        return Station.run(config);
    }

    /** Returns the configuration with the options on the command line. */
    StationConfig config() {
        return configuration.with(given()).station();
    }

    /** Returns the values on the command line by the names of their keys. */
    private Map<String, String> given() {
        var given = new TreeMap<>(keys);
        for (var option : spec.commandLine().getParseResult().matchedOptions()) {
            var key = Configuration.key(option.longestName());
            if (key != null) {
                given.put(key, String.valueOf((Object) option.getValue()));
            }
        }
        return given;
    }
}
