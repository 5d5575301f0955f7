package dev.silkroute.app.cli;

import dev.silkroute.app.config.Configuration;
import dev.silkroute.fixture.GeneratedPage;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** docs/reference/cli.md is the help of all commands. */
class CliPageTest {
    private static final String INTRODUCTION = """
        # Commands

        This page is generated from the commands' own help: `./silkroute COMMAND --help` prints the same.

        - An option that has the name of a key of the [configuration](configuration.md), such as `--bmp-port`, can also be set by an environment variable
          or in a file.
        - Commands that print something accept `--format table`, `csv` or `json`. CSV is what psql prints, with LF at the end of a line. The values
          of an answer that is not a list of rows are rows of `name` and `value`. `alerts test` prints records of a topic, which are JSON, and
          `alerts init` a file.
        - A misspelled key or environment variable (`SILKROUTE_…`) is an error of every command except `help` and `generate-completion`.
        - Output goes to stdout, the log and errors go to stderr. An error is one line.

        | exit code | meaning |
        |---|---|
        | 0 | The command is done. |
        | 1 | The command has failed, for example because no station is reachable. `status` also exits with 1 if the station reports problems. |
        | 2 | An option, an argument or a setting is invalid, or the station could not be started. |
        | 130 | A signal has interrupted the command before it was done. |

        Completion in bash and zsh, for the current shell; the line may also go into `~/.bashrc` or `~/.zshrc`:

        ```sh
        source <(./silkroute generate-completion)
        ```
        """;

    private static String help(CommandLine command) {
        return "```text\n" + command.getUsageMessage(Ansi.OFF).strip() + "\n```\n";
    }

    @Test
    void pageIsCurrent() throws IOException {
        CommandLine line = Cli.commandLine(Configuration.of(Map.of(), Map.of(), Map.of()));
        StringBuilder page = new StringBuilder(INTRODUCTION);
        page.append("\n## silkroute\n\n").append(help(line));
        addSubcommands(line, "", page);
        GeneratedPage.at("docs/reference/cli.md").assertIs(page.toString().replaceAll("[ \t]+\n", "\n"));
    }

    private static void addSubcommands(CommandLine of, String prefix, StringBuilder page) {
        of.getSubcommands().forEach((name, command) -> {
            if (!command.getCommandSpec().usageMessage().hidden()) {
                page.append("\n## ").append(prefix).append(name).append("\n\n").append(help(command));
                addSubcommands(command, name + " ", page);
            }
        });
    }
}
