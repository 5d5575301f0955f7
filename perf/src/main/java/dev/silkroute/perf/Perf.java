package dev.silkroute.perf;

import dev.silkroute.perf.decode.DecodeScenario;
import dev.silkroute.perf.decode.LoadAcceptedScenario;
import dev.silkroute.perf.forget.FireAndForgetScenario;
import dev.silkroute.perf.framing.FramingScenario;
import dev.silkroute.perf.replay.ReplayScenario;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code perf/run.sh NAME [options]}: runs one scenario. */
@Command(
        name = "perf/run.sh",
        description = "Measures Silkroute against other ways to do the same work.",
        subcommands = {DecodeScenario.class, FireAndForgetScenario.class, FramingScenario.class, LoadAcceptedScenario.class, ReplayScenario.class},
        mixinStandardHelpOptions = true)
public final class Perf {
    private Perf() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Perf()).execute(arguments));
    }
}
