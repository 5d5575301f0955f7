package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.cli.Cli;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.Settings;
import dev.silkroute.app.console.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Options of {@code run}: on the command line, as properties, as environment variables. */
class RunCommandTest {
    private static RunOptions parse(
            Map<String, String> properties, Map<String, String> environment, String... options) {
        CommandLine line = Cli.commandLine(new Settings(properties, environment));
        line.parseArgs(run(options));
        RunCommand command = line.getSubcommands().get("run").getCommand();
        return command.options();
    }

    /** Returns the line on standard error with which the command fails. */
    private static String error(Map<String, String> environment, String... options) {
        CommandLine line = Cli.commandLine(new Settings(Map.of(), environment));
        StringWriter err = new StringWriter();
        line.setErr(new PrintWriter(err, true));
        assertThat(line.execute(run(options))).isEqualTo(ExitCode.USAGE_ERROR);
        return err.toString().strip().replaceFirst("^silkroute: ", "");
    }

    private static String[] run(String... options) {
        return Stream.concat(Stream.of("run"), Stream.of(options)).toArray(String[]::new);
    }

    @Test
    void withoutArgumentsTheDefaultsApply() {
        assertThat(parse(Map.of(), Map.of()))
                .isEqualTo(new RunOptions(
                        "0.0.0.0",
                        11019,
                        "127.0.0.1",
                        8080,
                        "127.0.0.1",
                        null,
                        Path.of("data"),
                        null,
                        null,
                        null,
                        EnumSet.allOf(Role.class),
                        false));
    }

    @Test
    void commandLineOverridesPropertiesWhichOverrideVariables() {
        Map<String, String> environment =
                Map.of("SILKROUTE_BMP_PORT", "1", "SILKROUTE_HTTP_PORT", "2", "SILKROUTE_ROLES", "writer");
        RunOptions options =
                parse(Map.of("silkroute.bmp-port", "11", "silkroute.http-port", "12"), environment, "--bmp-port", "21");
        assertThat(options.bmpPort()).isEqualTo(21);
        assertThat(options.httpPort()).isEqualTo(12);
        assertThat(options.roles()).containsExactly(Role.WRITER);
    }

    @Test
    void everyOptionCanBeSetByAVariable() {
        RunOptions options = parse(
                Map.of(),
                Map.of(
                        "SILKROUTE_DATA_DIR",
                        "/srv/silkroute",
                        "SILKROUTE_KAFKA_BOOTSTRAP",
                        "k:9092",
                        "SILKROUTE_JDBC_URL",
                        "jdbc:postgresql:x",
                        "SILKROUTE_ROUTES_DIR",
                        ".",
                        "SILKROUTE_BMP_HOST",
                        "::",
                        "SILKROUTE_HTTP_HOST",
                        "::1",
                        "SILKROUTE_MANAGEMENT_HOST",
                        "0.0.0.0",
                        "SILKROUTE_MANAGEMENT_PORT",
                        "9001",
                        "SILKROUTE_VERBOSE",
                        "true"));
        assertThat(options)
                .isEqualTo(new RunOptions(
                        "::",
                        11019,
                        "::1",
                        8080,
                        "0.0.0.0",
                        9001,
                        Path.of("/srv/silkroute"),
                        "k:9092",
                        "jdbc:postgresql:x",
                        Path.of("."),
                        EnumSet.allOf(Role.class),
                        true));
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
    void portsAndRolesAreValidated() {
        assertThat(parse(Map.of(), Map.of(), "--bmp-port", "65535").bmpPort()).isEqualTo(65_535);
        for (String port : new String[] {"-1", "65536"}) {
            assertThatThrownBy(() -> parse(Map.of(), Map.of(), "--bmp-port", port))
                    .isInstanceOf(OperatorError.class)
                    .hasMessage("--bmp-port " + port + " is not a port (0 to 65535)");
        }
        assertThatThrownBy(() -> parse(Map.of(), Map.of(), "--roles", "king"))
                .hasMessageContaining("'king' is not a role");
    }
}
