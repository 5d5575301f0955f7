package dev.silkroute.app.cli;

import java.util.regex.Pattern;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Help with {@code -DKEY=VALUE} as it is written. Picocli writes the same separator for all options, {@code
 * -D=KEY=VALUE}, also where a parameter belongs to its option without one.
 */
final class CommandHelp extends Help {
    private static final String STYLES = "(?:\\e\\[[\\d;]*m)*";
    private static final Pattern SEPARATED =
            Pattern.compile("(-D" + STYLES + ")=(" + STYLES + "KEY=VALUE" + STYLES + ")( {2})?");

    CommandHelp(CommandSpec command, ColorScheme colors) {
        super(command, colors);
    }

    @Override
    public String synopsis(int headingLength) {
        return join(super.synopsis(headingLength));
    }

    @Override
    public String optionList() {
        return join(super.optionList());
    }

    /** Removes the separator. A description in the next column stays in its place. */
    private static String join(String help) {
        return SEPARATED
                .matcher(help)
                .replaceAll(option -> option.group(1) + option.group(2) + (option.group(3) == null ? "" : "   "));
    }
}
