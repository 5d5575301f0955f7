package dev.silkroute.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.Configuration;
import dev.silkroute.fixture.Programs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script in the shells that it is for. */
class CompletionIT {
    /** Prints what completes the words in {@code $words}, one per line, as bash does for the last of them. */
    private static final String COMPLETE = """
        COMP_WORDS=($words); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
        _complete_silkroute
        printf '%s\\n' "${COMPREPLY[@]}"
        """;

    @TempDir
    Path folder;

    private Path script;

    @BeforeEach
    void generate() throws IOException {
        StringWriter out = new StringWriter();
        assertThat(Cli.commandLine(Configuration.of(Map.of(), Map.of(), Map.of()))
                        .setOut(new PrintWriter(out, true))
                        .execute("generate-completion"))
                .isZero();
        script = Files.writeString(folder.resolve("completion"), out.toString());
    }

    @Test
    void bashCompletesCommandsOptionsAndValues() throws Exception {
        // compopt works only while bash itself completes.
        assertCompletes("bash", "-c", "source '" + script + "'; compopt() { :; }; " + COMPLETE);
        assertThat(run("silkroute", "bash", "-c", "source '" + script + "'; complete -p silkroute"))
                .anyMatch(line -> line.contains("-F _complete_silkroute"));
    }

    @Test
    void zshCompletesCommandsOptionsAndValues() throws Exception {
        Programs.assumeOnPath("zsh");
        String load = "autoload -U compinit && compinit -u -d " + folder.resolve("dump") + "; source '" + script + "'; "
                + "setopt KSH_ARRAYS SH_WORD_SPLIT; ";
        assertCompletes("zsh", "-f", "-c", load + COMPLETE);
    }

    /** Zsh itself leaves out the candidates that do not begin with the word, after the function has returned them. */
    private static void assertCompletes(String... shell) throws Exception {
        boolean filtered = shell[0].equals("bash");
        Map.of(
                        "silkroute sta", "status",
                        "silkroute status --for", "--format",
                        "silkroute status --format j", "json",
                        "silkroute load --churn-", "--churn-profile",
                        "silkroute load --churn-profile r", "redump",
                        "silkroute routes --match lo", "longest",
                        "silkroute peers --view loc", "loc-rib",
                        "silkroute alerts --rule router", "router-gone")
                .forEach((words, expected) -> assertThat(run(words, shell))
                        .as(words)
                        .filteredOn(found -> filtered || found.equals(expected))
                        .containsExactly(expected));
    }

    private static List<String> run(String words, String... shell) {
        ProcessBuilder builder = new ProcessBuilder(shell).redirectErrorStream(true);
        builder.environment().put("words", words);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();
            return lines;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
