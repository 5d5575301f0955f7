package dev.silkroute.app.console;

import dev.silkroute.net.Json;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option {@code --format} of commands that end with a report: text, or one JSON object on one line. */
public final class ReportOptions {
    /** The values of {@code --format}. */
    enum Format {
        text,
        json
    }

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Format of the report: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private Format format = Format.text;

    /** Prints the report in the chosen format. */
    public void print(String text, Json.Value json) {
        var out = command.commandLine().getOut();
        out.println(format == Format.json ? Json.string(json) : text);
        out.flush();
    }
}
