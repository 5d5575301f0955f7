package dev.silkroute.app.cli;

import dev.silkroute.app.config.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code silkroute test}: describes the command that the launcher runs by itself, because it needs the sources. */
@Command(
        name = "test",
        description = "Runs the whole test suite with Maven; requires the sources of Silkroute.",
        mixinStandardHelpOptions = true)
final class TestCommand implements Callable<Integer> {
    @Parameters(paramLabel = "OPTION", arity = "0..*", description = "Options of Maven, such as -Dit.test=LiveRoutesIT")
    private List<String> options = new ArrayList<>();

    @Override
    public Integer call() {
        throw new UsageError("the tests are run by the launcher: ./silkroute test " + String.join(" ", options));
    }
}
