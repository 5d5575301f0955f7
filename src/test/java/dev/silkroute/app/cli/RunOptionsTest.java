package dev.silkroute.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.RunOptions;
import dev.silkroute.app.config.Settings;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Options of {@code run}: on the command line, as properties, as environment variables. */
class RunOptionsTest {
    private static RunOptions parse(
            Map<String, String> properties, Map<String, String> environment, String... options) {
        CommandLine line = Cli.commandLine(new Settings(properties, environment));
        line.parseArgs(run(options));
        RunCommand command = line.getSubcommands().get("run").getCommand();
        return command.options();
    }

    private static String complaint(Map<String, String> environment, String... options) {
        CommandLine line = Cli.commandLine(new Settings(Map.of(), environment));
        try {
            line.parseArgs(run(options));
            throw new AssertionError("taken");
        } catch (ParameterException e) {
            return BadArgument.explain(e, run(options));
        }
    }

    private static String[] run(String... options) {
        return Stream.concat(Stream.of("run"), Stream.of(options)).toArray(String[]::new);
    }

    @Test
    void defaultsAreThoseOfTheContract() {
        assertThat(parse(Map.of(), Map.of()))
                .isEqualTo(new RunOptions(
                        "0.0.0.0",
                        11019,
                        "127.0.0.1",
                        8080,
                        Path.of("data"),
                        null,
                        null,
                        null,
                        EnumSet.allOf(Role.class),
                        false));
    }

    @Test
    void theCommandLineGoesBeforePropertiesAndThoseBeforeVariables() {
        Map<String, String> environment =
                Map.of("SILKROUTE_BMP_PORT", "1", "SILKROUTE_HTTP_PORT", "2", "SILKROUTE_ROLES", "writer");
        RunOptions options =
                parse(Map.of("silkroute.bmp-port", "11", "silkroute.http-port", "12"), environment, "--bmp-port", "21");
        assertThat(options.bmpPort()).isEqualTo(21);
        assertThat(options.httpPort()).isEqualTo(12);
        assertThat(options.roles()).containsExactly(Role.WRITER);
    }

    @Test
    void everyOptionIsAVariableToo() {
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
                        "SILKROUTE_VERBOSE",
                        "true"));
        assertThat(options)
                .isEqualTo(new RunOptions(
                        "::",
                        11019,
                        "::1",
                        8080,
                        Path.of("/srv/silkroute"),
                        "k:9092",
                        "jdbc:postgresql:x",
                        Path.of("."),
                        EnumSet.allOf(Role.class),
                        true));
    }

    @Test
    void mistakesAreNamedWithTheirPlace() {
        assertThat(complaint(Map.of(), "--http-prot", "1"))
                .isEqualTo(
                        "unknown option --http-prot, did you mean --http-port or --http-host? (see silkroute run --help)");
        assertThat(complaint(Map.of(), "--bmp-port", "x"))
                .isEqualTo(
                        "invalid value for option '--bmp-port': 'x' is not a whole number (see silkroute run --help)");
        assertThat(complaint(Map.of("SILKROUTE_BMP_PORT", "y")))
                .isEqualTo(
                        "invalid value for option '--bmp-port': 'y' is not a whole number, as silkroute.bmp-port or SILKROUTE_BMP_PORT says (see silkroute run --help)");
        assertThat(complaint(Map.of(), "now")).startsWith("unexpected argument now");
        assertThat(complaint(Map.of(), "--data-dir")).startsWith("missing required parameter for option '--data-dir'");
    }

    @Test
    void portsAndRolesAreChecked() {
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
