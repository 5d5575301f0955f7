package dev.silkroute.app.cli;

import dev.silkroute.app.config.Settings;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with an argument, on one line. */
final class BadArgument {
    private BadArgument() {}

    static String explain(ParameterException e) {
        var command = e.getCommandLine().getCommandSpec().qualifiedName();
        return problem(e) + " (see " + command + " --help)";
    }

    private static String problem(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            var first = unmatched.getUnmatched().getFirst();
            var similar = unmatched.getSuggestions().stream().limit(2).collect(Collectors.joining(" or "));
            var kind = unmatched.isUnknownOption() ? "unknown option " : "unexpected argument ";
            return kind + first + (similar.isEmpty() ? "" : ", did you mean " + similar + "?");
        }
        var message = String.valueOf(e.getMessage()).lines().collect(Collectors.joining(" "));
        if (e.getArgSpec() instanceof OptionSpec option
                && e.getValue() != null
                && !option.stringValues().contains(e.getValue())) {
            message += ", as " + SettingDefaults.property(option) + " or "
                    + Settings.variable(SettingDefaults.property(option)) + " says";
        }
        return message.substring(0, 1).toLowerCase(java.util.Locale.ROOT) + message.substring(1);
    }
}
