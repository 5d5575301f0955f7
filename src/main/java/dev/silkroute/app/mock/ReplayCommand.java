package dev.silkroute.app.mock;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.Interruption;
import dev.silkroute.app.console.Progress;
import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.Survey;
import dev.silkroute.component.replay.ReplayComponent;
import dev.silkroute.component.replay.ReplaySpeed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute replay}: captures into a station, through the route in {@code routes/replay.xml}. */
@Command(
        name = "replay",
        description = {
            "Replays captures into a station: raw BMP streams, pcap, pcapng and MRT, also compressed with gzip or bzip2.",
            "Every BMP session in every FILE gets a connection of its own, all at the same time."
        })
public final class ReplayCommand implements Callable<Integer> {
    @Mixin
    private MockOptions mock = new MockOptions();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "The captures.")
    private List<Path> files = List.of();

    @Option(
            names = "--speed",
            paramLabel = "SPEED",
            defaultValue = "max",
            description = "max, original (the times in the capture), or a factor such as 10x (${DEFAULT-VALUE}).")
    private String speed = "";

    @Option(
            names = "--loop",
            paramLabel = "N",
            defaultValue = "1",
            description = "Replay N times, each on new connections (${DEFAULT-VALUE}).")
    private int loop;

    @Option(names = "--bytes", paramLabel = "N", description = "Stop each session after N bytes, wherever that is.")
    private @Nullable Long bytes;

    @Override
    public Integer call() {
        StationAddress station = mock.station();
        mock.check(loop > 0, "--loop must be 1 or more, not " + loop);
        mock.check(bytes == null || bytes > 0, "--bytes must be 1 or more, not " + bytes);
        ReplaySpeed pace = mock.parsed("--", () -> ReplaySpeed.parse(speed));
        ReplayRun.Options options =
                new ReplayRun.Options(station, speed, loop, limit(), mock.hold(), mock.routesDirectory());

        ReplayComponent component = new ReplayComponent();
        List<ReplayRun.Source> sources;
        try {
            sources = sources(component, pace);
        } catch (CaptureException e) {
            return mock.fail(e.getMessage() + "; nothing was sent");
        }
        notes(sources);
        try (Interruption interruption = new Interruption()) {
            return interruption.exitWith(replay(sources, options, component, interruption));
        }
    }

    private int replay(
            List<ReplayRun.Source> sources,
            ReplayRun.Options options,
            ReplayComponent component,
            Interruption interruption) {
        long total =
                sources.stream().mapToLong(source -> source.length(options)).sum();
        ReplayTally tally = new ReplayTally(sources.size());
        try (ReplayRun run = new ReplayRun(component, options, tally)) {
            try (Progress progress = new Progress(mock.err(), "replay", Progress.Unit.bytes(total), total)) {
                run.start(sources);
                run.await(interruption, progress);
            }
            int code = report(tally, options.station(), interruption.isRequested(), component);
            if (mock.hold() && code == 0 && !interruption.isRequested()) {
                mock.holdUntil(interruption);
            }
            return code;
        } catch (OperatorError e) {
            return mock.fail(e.getMessage() + "; " + tally.text());
        }
    }

    private int report(ReplayTally tally, StationAddress station, boolean interrupted, ReplayComponent component) {
        List<String> failures = new ArrayList<>(tally.failures(station));
        for (Path file : interrupted ? List.<Path>of() : files) {
            fileFailure(component, file, failures);
        }
        failures.forEach(failure -> mock.say(failure + "; " + tally.text()));
        if (!failures.isEmpty()) {
            return ExitCode.USAGE_ERROR;
        }
        if (interrupted && !tally.await(0)) {
            mock.say("interrupted; " + tally.text());
            return mock.hold() ? 0 : ExitCode.INTERRUPTED;
        }
        mock.out().println(tally.summary());
        mock.out().flush();
        return 0;
    }

    /** A file may be truncated behind its sessions: nobody met that place while replaying them. */
    private void fileFailure(ReplayComponent component, Path file, List<String> failures) {
        try {
            CaptureException failure = component.capture(file).survey().failure();
            if (failure != null && bytes == null && !failures.contains(failure.getMessage())) {
                failures.add(String.valueOf(failure.getMessage()));
            }
        } catch (CaptureException e) {
            failures.add(String.valueOf(e.getMessage()));
        }
    }

    /** What the captures have and the replay leaves out. */
    private void notes(List<ReplayRun.Source> sources) {
        Set<String> notes = new LinkedHashSet<>();
        for (ReplayRun.Source source : sources) {
            source.survey().notes().forEach(note -> notes.add(source.capture().file() + ": " + note));
        }
        notes.forEach(mock::say);
    }

    private List<ReplayRun.Source> sources(ReplayComponent component, ReplaySpeed pace) throws CaptureException {
        List<ReplayRun.Source> sources = new ArrayList<>();
        for (Path file : files) {
            if (file.toString().indexOf('?') >= 0) {
                throw new CaptureException(file, 0, "a question mark in a file's name ends it in the route's URI");
            }
            CaptureFile capture = component.capture(file);
            Survey survey = capture.survey();
            if (pace.timed() && !survey.timed()) {
                throw new CaptureException(file, 0, "the capture has no times, so its only speed is max");
            }
            for (CaptureSession session : survey.sessions()) {
                sources.add(new ReplayRun.Source(capture, survey, session));
            }
        }
        return sources;
    }

    private long limit() {
        return bytes == null ? 0 : bytes;
    }
}
