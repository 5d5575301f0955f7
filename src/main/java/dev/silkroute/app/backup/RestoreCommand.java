package dev.silkroute.app.backup;

import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.ReportOptions;
import dev.silkroute.app.embedded.DataArchive;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute restore}: creates a data directory from a backup. */
@Command(
        name = "restore",
        description = {
            "Creates a data directory from a file that `backup` has written.",
            "A station that runs on it continues where the backed-up one had stopped."
        })
public final class RestoreCommand extends ConsoleCommand {
    @Parameters(paramLabel = "FILE", description = "A backup")
    private Path file = Path.of("");

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "The data directory to create; must be empty or not exist (./${DEFAULT-VALUE})")
    private Path directory = Path.of("data");

    @Mixin
    private ReportOptions report = new ReportOptions();

    @Override
    public Integer call() {
        var content = DataArchive.restore(file, directory);
        BackupCommand.print(report, "Restored " + directory + " from " + file, "directory", directory, content);
        return ExitCode.OK;
    }
}
