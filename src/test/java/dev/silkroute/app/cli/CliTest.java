package dev.silkroute.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.console.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Help, version and exit codes, which all commands share. */
class CliTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine line = Cli.commandLine(Configuration.of(Map.of(), Map.of(), Map.of()))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));

    @ParameterizedTest
    @ValueSource(strings = {"help", "--help", "-h"})
    void helpListsAllCommandsAndExitCodes(String argument) {
        assertThat(line.execute(argument)).isEqualTo(ExitCode.OK);
        for (var command : line.getSubcommands().keySet()) {
            assertThat(out.toString()).contains("  " + command + " ");
        }
        assertThat(out.toString()).contains("Exit codes:", "  1     The command has failed", "  test ");
    }

    @Test
    void withoutACommandHelpIsPrinted() {
        assertThat(line.execute()).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).startsWith("Usage: silkroute");
    }

    @Test
    void everyCommandHasHelpAndTheVersion() {
        for (var name : line.getSubcommands().keySet()) {
            out.getBuffer().setLength(0);
            assertThat(line.execute(name, "--help")).as(name).isEqualTo(ExitCode.OK);
            assertThat(out.toString()).as(name).contains("Usage: silkroute " + name);
            if (!name.equals("help")) {
                out.getBuffer().setLength(0);
                assertThat(line.execute(name, "--version")).as(name).isEqualTo(ExitCode.OK);
                assertThat(out.toString()).as(name).matches("silkroute \\S+ \\((commit \\S+, )?JDK 25\\S*\\)\\R");
            }
        }
        assertThat(err.toString()).isEmpty();
    }

    /**
     * {@code run} prints a line when it is ready, {@code alerts test} records of a topic, {@code alerts init} a file;
     * {@code test} is executed by the launcher.
     */
    @Test
    void everyCommandThatPrintsHasTheSameFormats() {
        Set<String> others = Set.of("run", "test", "help", "generate-completion", "alerts test", "alerts init");
        assertFormats(line, others);
    }

    private static void assertFormats(CommandLine commands, Set<String> others) {
        commands.getSubcommands().values().forEach(command -> {
            String name = command.getCommandSpec().qualifiedName().replaceFirst("^silkroute ", "");
            if (!others.contains(name)) {
                CommandLine.Model.OptionSpec format = command.getCommandSpec().findOption("--format");
                assertThat(format).as(name).isNotNull();
                assertThat(format.completionCandidates()).as(name).containsExactly("table", "csv", "json");
            }
            assertFormats(command, others);
        });
    }

    @Test
    void usageErrorsHaveExitCode2() {
        for (String[] arguments : new String[][] {
            {"dance"},
            {"status", "--bogus"},
            {"lookup"},
            {"lookup", "192.0.2.300"},
            {"topic", "x", "--partitions", "0"},
            {"redecode", "--raw"},
            {"sql", "--read-only", "--read-write", "select 1"},
            {"load", "--to", "nowhere"},
            {"status", "--format", "xml"},
            {"run", "-D", "silkroute.bmp-port"},
            {"generate-completion", "--bogus"},
            {"help", "--bogus"},
            {"help", "status", "extra"},
            {"test"}
        }) {
            err.getBuffer().setLength(0);
            assertThat(line.execute(arguments)).as(String.join(" ", arguments)).isEqualTo(ExitCode.USAGE_ERROR);
            assertThat(err.toString()).startsWith("silkroute: ").hasLineCount(1).doesNotContain("option option");
        }
    }

    @Test
    void helpIsWrappedAtSpacesOnly() {
        assertWrapped(line);
    }

    private static void assertWrapped(CommandLine command) {
        int width = command.getUsageHelpWidth();
        String wrapped = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
        String unwrapped = command.setUsageHelpWidth(1000).getUsageMessage(CommandLine.Help.Ansi.OFF);
        command.setUsageHelpWidth(width);
        assertThat(wrapped.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
        assertThat(wrapped.split("\\s+")).isEqualTo(unwrapped.split("\\s+"));
        String styled = command.getUsageMessage(CommandLine.Help.Ansi.ON);
        assertThat(styled.replaceAll("\\e\\[[\\d;]*m", "").lines().map(String::strip))
                .containsExactlyElementsOf(wrapped.lines().map(String::strip).toList());
        command.getSubcommands().values().forEach(CliTest::assertWrapped);
    }

    /** Also by commands that read no setting, or others. */
    @ParameterizedTest
    @ValueSource(strings = {"status", "rebuild", "run"})
    void unknownSettingsAreRejected(String command) {
        for (Configuration configuration : List.of(
                Configuration.of(Map.of(), Map.of("SILKROUTE_ULR", "http://192.0.2.1:8080"), Map.of()),
                Configuration.of(Map.of(), Map.of(), Map.of("silkroute.ulr", "http://192.0.2.1:8080")))) {
            err.getBuffer().setLength(0);
            assertThat(Cli.commandLine(configuration)
                            .setOut(new PrintWriter(out, true))
                            .setErr(new PrintWriter(err, true))
                            .execute(command))
                    .isEqualTo(ExitCode.USAGE_ERROR);
            assertThat(err.toString())
                    .matches("silkroute: unknown (environment variable SILKROUTE_ULR|key silkroute.ulr in"
                            + " config/application.properties), did you mean (SILKROUTE_URL|silkroute.url)\\?\\R");
        }
        assertThat(out.toString()).isEmpty();
    }

    /** The list of commands shows the first line of each description. */
    @Test
    void descriptionsInTheListOfCommandsAreSentences() {
        line.getSubcommands()
                .forEach((name, command) -> assertThat(
                                command.getCommandSpec().usageMessage().description()[0])
                        .as(name)
                        .endsWith("."));
    }
}
