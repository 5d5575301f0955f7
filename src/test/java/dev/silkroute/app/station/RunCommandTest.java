package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.cli.Cli;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.console.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Options of {@code run}: on the command line, as properties, as environment variables. */
class RunCommandTest {
    private static StationConfig parse(
            Map<String, String> properties, Map<String, String> environment, String... options) {
        CommandLine line = Cli.commandLine(Configuration.of(properties, environment, Map.of()));
        line.parseArgs(run(options));
        RunCommand command = line.getSubcommands().get("run").getCommand();
        return command.config();
    }

    /** Returns the line on standard error with which the command fails. */
    private static String error(Map<String, String> environment, String... options) {
        CommandLine line = Cli.commandLine(Configuration.of(Map.of(), environment, Map.of()));
        StringWriter err = new StringWriter();
        line.setErr(new PrintWriter(err, true));
        assertThat(line.execute(run(options))).isEqualTo(ExitCode.USAGE_ERROR);
        return err.toString().strip().replaceFirst("^silkroute: ", "");
    }

    private static String[] run(String... options) {
        return Stream.concat(Stream.of("run"), Stream.of(options)).toArray(String[]::new);
    }

    @Test
    void everyOptionOverridesPropertiesAndVariables() {
        Map<String, String> options = new TreeMap<>(Map.of(
                "--data-dir", "/srv/silkroute",
                "--kafka-bootstrap", "k:9092",
                "--jdbc-url", "jdbc:postgresql:x",
                "--routes-dir", ".",
                "--bmp-host", "::",
                "--http-host", "::1",
                "--management-host", "0.0.0.0",
                "--management-port", "9001",
                "--roles", "writer",
                "--bmp-port", "1"));
        options.put("--http-port", "2");
        Map<String, String> others = new TreeMap<>();
        options.forEach((option, value) ->
                others.put(Objects.requireNonNull(Configuration.key(option)), value.equals("2") ? "22" : "11"));
        others.put("silkroute.roles", "api");
        List<String> arguments = new ArrayList<>(List.of("--verbose", "-Dsilkroute.max-sessions=5"));
        options.forEach((option, value) -> arguments.addAll(List.of(option, value)));
        StationConfig config = parse(others, Map.of("SILKROUTE_VERBOSE", "false"), arguments.toArray(String[]::new));
        assertThat(config.dataDir()).isEqualTo(Path.of("/srv/silkroute"));
        assertThat(config.kafkaBootstrap()).contains("k:9092");
        assertThat(config.jdbcUrl()).contains("jdbc:postgresql:x");
        assertThat(config.routesDir()).contains(Path.of("."));
        assertThat(config.bmpHost()).isEqualTo("::");
        assertThat(config.httpHost()).isEqualTo("::1");
        assertThat(config.managementHost()).isEqualTo("0.0.0.0");
        assertThat(config.managementPort()).hasValue(9001);
        assertThat(config.roles()).hasToString("writer");
        assertThat(config.bmpPort()).isEqualTo(1);
        assertThat(config.httpPort()).isEqualTo(2);
        assertThat(config.verbose()).isTrue();
        assertThat(config.maxSessions()).isEqualTo(5);
    }

    @Test
    void optionsThatAreNotGivenLeaveVariables() {
        assertThat(parse(Map.of(), Map.of("SILKROUTE_BMP_PORT", "1")).bmpPort()).isEqualTo(1);
        assertThat(parse(Map.of(), Map.of("SILKROUTE_VERBOSE", "true")).verbose())
                .isTrue();
    }

    @Test
    void helpShowsTheDefaults() {
        CommandLine line = Cli.commandLine(Configuration.of(Map.of(), Map.of(), Map.of()));
        assertThat(line.getSubcommands().get("run").getUsageMessage())
                .contains("(11019)", "(0.0.0.0)", "(8080)", "(127.0.0.1)", "(data)", "(all)");
    }

    @Test
    void helpShowsKeysAsTheyAreWritten() {
        CommandLine line = Cli.commandLine(Configuration.of(Map.of(), Map.of(), Map.of()));
        CommandLine run = line.getSubcommands().get("run");
        assertThat(run.getUsageMessage(Ansi.OFF))
                .contains(
                        "[-DKEY=VALUE]...",
                        "\n  -DKEY=VALUE               Any key",
                        "\n      --data-dir=DIR        Directory")
                .doesNotContain("-D=");
        assertThat(run.getUsageMessage(Ansi.ON).replaceAll("\\e\\[[\\d;]*m", ""))
                .isEqualTo(run.getUsageMessage(Ansi.OFF));
    }

    @Test
    void argumentErrorsNameTheOptionAndWhereItsValueCameFrom() {
        assertThat(error(Map.of(), "--http-prot", "1"))
                .isEqualTo(
                        "unknown option --http-prot, did you mean --http-port or --http-host? (see silkroute run --help)");
        assertThat(error(Map.of(), "--bmp-port", "x"))
                .isEqualTo("invalid value for option '--bmp-port': 'x' is not an integer (see silkroute run --help)");
        assertThat(error(Map.of("SILKROUTE_BMP_PORT", "y")))
                .isEqualTo(
                        "invalid value for option '--bmp-port': 'y' is not an integer (set by silkroute.bmp-port or SILKROUTE_BMP_PORT) (see silkroute run --help)");
        assertThat(error(Map.of(), "now")).startsWith("unexpected argument now");
        assertThat(error(Map.of(), "--data-dir")).startsWith("missing required parameter for option '--data-dir'");
    }

    @Test
    void portsAreValidated() {
        for (String option : new String[] {"--bmp-port", "--http-port", "--management-port"}) {
            assertThat(error(Map.of(), option, "65536")).isEqualTo(option + " 65536 is not a port (0 to 65535)");
            assertThat(error(Map.of(), option, "-1")).isEqualTo(option + " -1 is not a port (0 to 65535)");
        }
    }
}
