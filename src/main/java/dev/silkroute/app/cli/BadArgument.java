package dev.silkroute.app.cli;

import dev.silkroute.app.config.Settings;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with an argument, on one line. */
final class BadArgument {
    private BadArgument() {}

    static String explain(ParameterException e, String... arguments) {
        var command = e.getCommandLine().getCommandSpec().qualifiedName();
        return problem(e, arguments) + " (see " + command + " --help)";
    }

    private static String problem(ParameterException e, String... arguments) {
        if (e instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            var first = unmatched.getUnmatched().getFirst();
            var similar = unmatched.getSuggestions().stream().limit(2).collect(Collectors.joining(" or "));
            boolean wantsCommand = !e.getCommandLine().getSubcommands().isEmpty();
            var kind = unmatched.isUnknownOption()
                    ? "unknown option "
                    : wantsCommand ? "unknown command " : "unexpected argument ";
            return kind + first + (similar.isEmpty() ? "" : ", did you mean " + similar + "?");
        }
        var message = String.valueOf(e.getMessage())
                .lines()
                .collect(Collectors.joining(" "))
                .replace(" (case-insensitive)", "")
                .replace("is not an int", "is not a whole number")
                .replace("is not a long", "is not a whole number")
                .replace("is not a double", "is not a number");
        if (e.getArgSpec() instanceof OptionSpec option && e.getValue() != null && !isGiven(option, arguments)) {
            var property = SettingDefaults.property(option);
            message += ", as " + property + " or " + Settings.variable(property) + " says";
        }
        return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    private static boolean isGiven(OptionSpec option, String... arguments) {
        return Arrays.stream(arguments)
                .anyMatch(argument -> Arrays.stream(option.names())
                        .anyMatch(name -> argument.equals(name) || argument.startsWith(name + "=")));
    }
}
