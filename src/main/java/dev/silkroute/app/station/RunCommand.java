package dev.silkroute.app.station;

import dev.silkroute.app.config.Host;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.Settings;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.ReadableDirectory;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code silkroute run}: runs a station on this machine. */
@Command(
        name = "run",
        exitCodeOnExecutionException = ExitCode.USAGE_ERROR,
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Runs the station: collector, writers, RIB and API, with embedded Kafka and PostgreSQL unless external"
                        + " ones are given.",
        footer = {
            "",
            "Each option can also be set by an environment variable (SILKROUTE_BMP_PORT) or a property"
                    + " (silkroute.bmp-port)."
        })
public final class RunCommand implements Callable<Integer> {
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--bmp-port",
            paramLabel = "PORT",
            defaultValue = "11019",
            description = "Port for BMP sessions, 0 for any free port (${DEFAULT-VALUE})")
    int bmpPort;

    @Option(
            names = "--bmp-host",
            paramLabel = "ADDRESS",
            defaultValue = "0.0.0.0",
            description = "Address to accept BMP sessions on (${DEFAULT-VALUE})")
    String bmpHost = "";

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Port of the API, health and metrics, 0 for any free port (${DEFAULT-VALUE})")
    int httpPort;

    @Option(
            names = "--http-host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to serve HTTP on (${DEFAULT-VALUE})")
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
            defaultValue = "127.0.0.1",
            description = "Address to serve health, metrics and the console on (${DEFAULT-VALUE})")
    String managementHost = "";

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "Directory for all data, kept across restarts (./${DEFAULT-VALUE})")
    Path dataDirectory = Path.of("data");

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
            defaultValue = "all",
            description = "Roles of this station: collector, writer, rib, api (${DEFAULT-VALUE})")
    String roles = "all";

    @Option(names = "--verbose", description = "Log more, and the stack trace of a failed start")
    boolean verbose;

    @Override
    public Integer call() {
        return Station.run(options(), Settings.ofProcess());
    }

    /** Returns the options, validated as far as that is possible without side effects. */
    RunOptions options() {
        return new RunOptions(
                Host.bare(bmpHost),
                port("--bmp-port", bmpPort),
                Host.bare(httpHost),
                port("--http-port", httpPort),
                Host.bare(managementHost),
                managementPort == null ? null : port("--management-port", managementPort),
                dataDirectory,
                kafkaBootstrap,
                jdbcUrl,
                ReadableDirectory.require("--routes-dir", routesDirectory),
                Role.parse(roles),
                verbose);
    }

    private static int port(String option, int value) {
        if (value < 0 || value > MAX_PORT) {
            throw new UsageError(option + " " + value + " is not a port (0 to " + MAX_PORT + ")");
        }
        return value;
    }
}
