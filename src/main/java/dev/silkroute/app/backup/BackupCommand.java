package dev.silkroute.app.backup;

import dev.silkroute.app.config.ByteSize;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.ReportOptions;
import dev.silkroute.app.embedded.DataArchive;
import dev.silkroute.app.embedded.DataDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute backup}: writes the data directory of a stopped station to a file. */
@Command(
        name = "backup",
        description = {
            "Writes the data of a stopped station with embedded servers to a compressed tar file.",
            "The file contains the passwords of the embedded servers; only you can read it."
        })
public final class BackupCommand extends ConsoleCommand {
    @Parameters(paramLabel = "FILE", description = "The file to write, such as silkroute.tar.gz; must not exist")
    private Path file = Path.of("");

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "Data directory of the station (./${DEFAULT-VALUE})")
    private Path directory = Path.of("data");

    @Mixin
    private ReportOptions report = new ReportOptions();

    @Override
    public Integer call() {
        if (DataDirectory.isHeld(directory)) {
            throw new OperatorError("a station runs on the data directory " + directory
                    + ": stop it first; routers reconnect when it runs again");
        }
        var content = DataArchive.write(directory, file);
        print(report, "Backed up " + directory + " to " + file, "file", file, content);
        return ExitCode.OK;
    }

    /** Prints what was done, or its result and the size of the data as JSON. */
    static void print(ReportOptions report, String done, String field, Path result, DataArchive.Content content) {
        String size = content.files() + " files, " + ByteSize.text(content.bytes()) + " before compression";
        report.print(done + ": " + size, json -> {
            json.writeStartObject();
            json.writeStringField(field, result.toString());
            json.writeNumberField("files", content.files());
            json.writeNumberField("bytes", content.bytes());
            json.writeEndObject();
        });
    }
}
