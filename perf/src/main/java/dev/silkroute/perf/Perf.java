package dev.silkroute.perf;

import dev.silkroute.perf.chaos.ChaosScenario;
import dev.silkroute.perf.chaos.OutageScenario;
import dev.silkroute.perf.chaos.RollingScenario;
import dev.silkroute.perf.chaos.TwinsScenario;
import dev.silkroute.perf.decode.DecodeScenario;
import dev.silkroute.perf.decode.LoadAcceptedScenario;
import dev.silkroute.perf.endtoend.ChurnScenario;
import dev.silkroute.perf.endtoend.EndToEndScenario;
import dev.silkroute.perf.endtoend.InsightScenario;
import dev.silkroute.perf.endtoend.LargeTableScenario;
import dev.silkroute.perf.forget.FireAndForgetScenario;
import dev.silkroute.perf.framing.FramingScenario;
import dev.silkroute.perf.history.HistoryScenario;
import dev.silkroute.perf.hostile.HostileScenario;
import dev.silkroute.perf.hostile.ManySessionsScenario;
import dev.silkroute.perf.http.HttpScenario;
import dev.silkroute.perf.incidents.IncidentsScenario;
import dev.silkroute.perf.layout.LayoutScenario;
import dev.silkroute.perf.live.LiveScenario;
import dev.silkroute.perf.past.BacktestScenario;
import dev.silkroute.perf.past.RibAtScenario;
import dev.silkroute.perf.peers.PeersScenario;
import dev.silkroute.perf.pipeline.LowVolumeScenario;
import dev.silkroute.perf.pipeline.PipelineScenario;
import dev.silkroute.perf.replay.ReplayScenario;
import dev.silkroute.perf.rib.QueryScenario;
import dev.silkroute.perf.rib.RibScenario;
import dev.silkroute.perf.rpki.VrpsScenario;
import dev.silkroute.perf.startup.StartupScenario;
import dev.silkroute.perf.state.StateScenario;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code perf/run.sh NAME [options]}: runs one scenario. */
@Command(
        name = "perf/run.sh",
        description = "Measures Silkroute against other ways to do the same work.",
        subcommands = {
            BacktestScenario.class,
            OutageScenario.class,
            ChaosScenario.class,
            ChurnScenario.class,
            DecodeScenario.class,
            EndToEndScenario.class,
            FireAndForgetScenario.class,
            FramingScenario.class,
            HistoryScenario.class,
            HostileScenario.class,
            HttpScenario.class,
            ManySessionsScenario.class,
            IncidentsScenario.class,
            InsightScenario.class,
            LargeTableScenario.class,
            LayoutScenario.class,
            LiveScenario.class,
            LoadAcceptedScenario.class,
            LowVolumeScenario.class,
            PeersScenario.class,
            PipelineScenario.class,
            QueryScenario.class,
            ReplayScenario.class,
            RibAtScenario.class,
            RibScenario.class,
            RollingScenario.class,
            StartupScenario.class,
            StateScenario.class,
            TwinsScenario.class,
            VrpsScenario.class
        },
        mixinStandardHelpOptions = true)
public final class Perf {
    private Perf() {}

    public static void main(String[] arguments) {
        // Without a station to configure it, the log manager would keep all messages of Kafka's clients, which format
        // several for each record
        Logger.getLogger("").setLevel(Level.WARNING);
        // Ends what an interrupted scenario has started and would leave to run beside the next one
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> ProcessHandle.current().children().forEach(ProcessHandle::destroy)));
        System.exit(new CommandLine(new Perf()).execute(arguments));
    }
}
