package dev.silkroute.app.cli;

import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Help that wraps lines at spaces only, and has {@code -DKEY=VALUE} as it is written. Picocli wraps at punctuation too,
 * inside of URLs, times and keys, and writes the same separator for all options, {@code -D=KEY=VALUE}, also where a
 * parameter belongs to its option without one.
 */
final class CommandHelp extends Help {
    private static final String STYLES = "(?:\\e\\[[\\d;]*m)*";
    private static final Pattern SEPARATED =
            Pattern.compile("(-D" + STYLES + ")=(" + STYLES + "KEY=VALUE" + STYLES + ")( {2})?");
    private static final Pattern GAP = Pattern.compile(" {2,}(?=\\S)");

    /** A width with which picocli wraps nothing. */
    private static final int UNLIMITED = 4096;

    /** By how much the lines that continue the text of a column are indented. */
    private static final int CONTINUATION = 2;

    CommandHelp(CommandSpec command, ColorScheme colors) {
        super(command, colors);
    }

    @Override
    public String synopsis(int headingLength) {
        String synopsis = join(unwrapped(() -> super.synopsis(headingLength)));
        int indent = headingLength + commandSpec().qualifiedName().length() + 1;
        // The heading is on the same line
        return wrap(" ".repeat(headingLength) + synopsis, indent).substring(headingLength);
    }

    @Override
    public String description(Object... parameters) {
        return wrap(unwrapped(() -> super.description(parameters)), 0);
    }

    @Override
    public String parameterList() {
        return wrapColumns(unwrapped(super::parameterList));
    }

    @Override
    public String optionList() {
        return wrapColumns(join(unwrapped(super::optionList)));
    }

    @Override
    public String commandList() {
        return wrapColumns(unwrapped(super::commandList));
    }

    @Override
    public String exitCodeList() {
        return wrapColumns(unwrapped(super::exitCodeList));
    }

    @Override
    public String footer(Object... parameters) {
        return wrap(unwrapped(() -> super.footer(parameters)), 0);
    }

    private String unwrapped(Supplier<String> section) {
        var usage = commandSpec().usageMessage();
        int width = usage.width();
        usage.width(UNLIMITED);
        try {
            return section.get();
        } finally {
            usage.width(width);
        }
    }

    /** Wraps the lines of a list, whose last column begins at the same position in each of them. */
    private String wrapColumns(String list) {
        int column = list.lines()
                .mapToInt(line -> GAP.matcher(plain(line))
                        .results()
                        .mapToInt(gap -> gap.end())
                        .max()
                        .orElse(0))
                .max()
                .orElse(0);
        return wrap(list, column + CONTINUATION);
    }

    private String wrap(String text, int indent) {
        return text.lines()
                .map(line -> wrapLine(line, indent) + System.lineSeparator())
                .collect(Collectors.joining());
    }

    private String wrapLine(String line, int indent) {
        int width = commandSpec().usageMessage().width();
        StringBuilder wrapped = new StringBuilder();
        int length = 0;
        // The spaces that begin the line or separate columns are part of the word that follows them
        for (String word : line.split("(?<=\\S) (?=\\S)")) {
            int added = plain(word).length();
            if (length > 0 && length + 1 + added > width) {
                wrapped.append(System.lineSeparator()).append(" ".repeat(indent));
                length = indent;
            } else if (length > 0) {
                wrapped.append(' ');
                length++;
            }
            wrapped.append(word);
            length += added;
        }
        return wrapped.toString();
    }

    private static String plain(String text) {
        return text.replaceAll(STYLES, "");
    }

    /** Removes the separator. A description in the next column stays in its place. */
    private static String join(String help) {
        return SEPARATED
                .matcher(help)
                .replaceAll(option -> option.group(1) + option.group(2) + (option.group(3) == null ? "" : "   "));
    }
}
