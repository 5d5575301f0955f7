package dev.silkroute.app.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs several commands in one JVM, so that one start-up cache contains what all of them need. The main class of a step
 * of the build.
 */
public final class CommandTraining {
    private static final String SEPARATOR = "--";

    private CommandTraining() {}

    /** @param arguments those of the commands, with {@value #SEPARATOR} between two commands */
    public static void main(String[] arguments) {
        int result = 0;
        List<String> left = new ArrayList<>(Arrays.asList(arguments));
        while (!left.isEmpty()) {
            int end = left.contains(SEPARATOR) ? left.indexOf(SEPARATOR) : left.size();
            List<String> command = left.subList(0, end);
            result = Math.max(result, Cli.execute(command.toArray(String[]::new)));
            left = left.subList(Math.min(end + 1, left.size()), left.size());
        }
        System.exit(result);
    }
}
