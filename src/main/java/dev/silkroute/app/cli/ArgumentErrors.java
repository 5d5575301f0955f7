package dev.silkroute.app.cli;

import dev.silkroute.app.config.Configuration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes an argument error on one line, with the command whose help explains the arguments. */
final class ArgumentErrors {
    private ArgumentErrors() {}

    static String describe(ParameterException e, String... arguments) {
        var command = e.getCommandLine().getCommandSpec().qualifiedName();
        return problem(e, arguments) + " (see " + command + " --help)";
    }

    private static String problem(ParameterException e, String... arguments) {
        if (e instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return unmatched(unmatched);
        }
        var message = String.valueOf(e.getMessage())
                .lines()
                .collect(Collectors.joining(" "))
                .replace(" (case-insensitive)", "")
                .replace("option option", "option")
                .replace("is not an int", "is not an integer")
                .replace("is not a long", "is not an integer")
                .replace("is not a double", "is not a number");
        if (e.getArgSpec() instanceof OptionSpec option && e.getValue() != null && !isGiven(option, arguments)) {
            var key = Configuration.key(option.longestName());
            message += key == null ? "" : " (set by " + key + " or " + Configuration.variable(key) + ")";
        }
        return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    private static String unmatched(UnmatchedArgumentException e) {
        boolean commandExpected = !e.getCommandLine().getSubcommands().isEmpty();
        var kind =
                e.isUnknownOption() ? "unknown option " : commandExpected ? "unknown command " : "unexpected argument ";
        var similar = e.getSuggestions().stream().limit(2).collect(Collectors.joining(" or "));
        return kind + e.getUnmatched().getFirst() + (similar.isEmpty() ? "" : ", did you mean " + similar + "?");
    }

    /** Returns whether the option is on the command line, as opposed to taken from a property or a variable. */
    private static boolean isGiven(OptionSpec option, String... arguments) {
        return Arrays.stream(arguments)
                .anyMatch(argument -> Arrays.stream(option.names())
                        .anyMatch(name -> argument.equals(name) || argument.startsWith(name + "=")));
    }
}
