package dev.silkroute.app.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.cli.Cli;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.console.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Which station or database a command uses, observed by the error for one that does not exist. */
class StationLocationTest {
    private static final String FOREIGN_DATABASE = "jdbc:mysql://elsewhere/db";
    private static final Map<String, String> ELSEWHERE = Map.of(
            "SILKROUTE_JDBC_URL", FOREIGN_DATABASE,
            "SILKROUTE_URL", "elsewhere",
            "SILKROUTE_KAFKA_BOOTSTRAP", "elsewhere:1");

    @TempDir
    Path folder;

    private static String error(int exitCode, Map<String, String> environment, String... arguments) {
        CommandLine line = Cli.commandLine(Configuration.of(Map.of(), environment, Map.of()));
        StringWriter err = new StringWriter();
        line.setErr(new PrintWriter(err, true));
        assertThat(line.execute(arguments)).isEqualTo(exitCode);
        return err.toString();
    }

    @Test
    void aDataDirectoryOnTheCommandLineOverridesVariables() {
        String data = folder.toString();
        for (String[] command : new String[][] {
            {"sql", "--data-dir", data, "select 1"},
            {"rebuild", "--data-dir", data},
            {"redecode", "--data-dir", data},
            {"status", "--data-dir", data},
            {"lookup", "--data-dir", data, "::"}
        }) {
            assertThat(error(ExitCode.FAILURE, ELSEWHERE, command))
                    .as(command[0])
                    .contains("no station runs on the data directory " + data);
        }
    }

    @Test
    void variablesOverrideTheDefaultDataDirectory() {
        assertThat(error(ExitCode.USAGE_ERROR, ELSEWHERE, "sql", "select 1")).contains(FOREIGN_DATABASE);
        assertThat(error(ExitCode.USAGE_ERROR, ELSEWHERE, "status")).contains("'elsewhere' is not a URL of a station");
        Map<String, String> both =
                Map.of("SILKROUTE_DATA_DIR", folder.toString(), "SILKROUTE_JDBC_URL", FOREIGN_DATABASE);
        assertThat(error(ExitCode.USAGE_ERROR, both, "rebuild")).contains(FOREIGN_DATABASE);
        assertThat(error(ExitCode.FAILURE, Map.of("SILKROUTE_DATA_DIR", folder.toString()), "status"))
                .contains("no station runs on the data directory " + folder);
    }

    @Test
    void onTheCommandLineAUrlOverridesTheDataDirectory() {
        String data = folder.toString();
        assertThat(error(
                        ExitCode.USAGE_ERROR,
                        ELSEWHERE,
                        "sql",
                        "--data-dir",
                        data,
                        "--jdbc-url",
                        "jdbc:none",
                        "select 1"))
                .contains("jdbc:none");
        assertThat(error(ExitCode.USAGE_ERROR, Map.of(), "lookup", "--data-dir", data, "--url", "nowhere", "::"))
                .contains("'nowhere' is not a URL of a station");
    }
}
