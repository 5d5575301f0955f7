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

/** {@code silkroute replay}: sends captures to a station, through the route in {@code routes/replay.camel.xml}. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = {
            "Replays captures into a station: raw BMP streams, pcap, pcapng and MRT, also compressed with gzip or"
                    + " bzip2.",
            "Each BMP session in each FILE is sent on a connection of its own, all at the same time."
        })
public final class ReplayCommand implements Callable<Integer> {
    @Mixin
    private MockOptions mock = new MockOptions();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Capture files")
    private List<Path> files = List.of();

    @Option(
            names = "--speed",
            paramLabel = "SPEED",
            defaultValue = "max",
            description = "max, original (the times of the capture), or a factor such as 10x (${DEFAULT-VALUE})")
    private String speed = "";

    @Option(
            names = "--loop",
            paramLabel = "N",
            defaultValue = "1",
            description = "Replay N times, each time on new connections (${DEFAULT-VALUE})")
    private int loop;

    @Option(names = "--bytes", paramLabel = "N", description = "Stop each session after N bytes, even inside a message")
    private @Nullable Long bytes;

    @Override
    public Integer call() {
        StationAddress station = mock.station();
        mock.require(loop > 0, "--loop must be at least 1, not " + loop);
        mock.require(bytes == null || bytes > 0, "--bytes must be at least 1, not " + bytes);
        ReplaySpeed pace = mock.parse("--", () -> ReplaySpeed.parse(speed));
        ReplayRun.Options options =
                new ReplayRun.Options(station, mock.tls(), speed, loop, limit(), mock.hold(), mock.routesDirectory());

        ReplayComponent component = new ReplayComponent();
        List<ReplayRun.Source> sources;
        try {
            sources = sources(component, pace);
        } catch (CaptureException e) {
            mock.warn(e.getMessage() + "; nothing was sent");
            return ExitCode.USAGE_ERROR;
        }
        printNotes(sources);
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
            if (mock.hold() && code == ExitCode.OK && !interruption.isRequested()) {
                mock.announceHold();
                interruption.await();
            }
            return code;
        } catch (OperatorError e) {
            return mock.fail(e, tally.sentBefore());
        }
    }

    private int report(ReplayTally tally, StationAddress station, boolean interrupted, ReplayComponent component) {
        List<String> failures = new ArrayList<>(tally.failures(station));
        for (Path file : interrupted ? List.<Path>of() : files) {
            addFileFailure(component, file, failures);
        }
        failures.forEach(failure -> mock.warn(failure + "; " + tally.sentBefore()));
        if (!failures.isEmpty()) {
            return ExitCode.FAILURE;
        }
        if (interrupted && !tally.await(0)) {
            mock.warn("interrupted; " + tally.sentBefore());
            return mock.hold() ? ExitCode.OK : ExitCode.INTERRUPTED;
        }
        mock.report(tally.summary(), tally::write);
        return ExitCode.OK;
    }

    /**
     * Adds the error at which the survey of a file stopped. It may be after the last session, where no replay reads.
     */
    private void addFileFailure(ReplayComponent component, Path file, List<String> failures) {
        try {
            CaptureException failure = component.capture(file).survey().failure();
            if (failure != null && bytes == null && !failures.contains(failure.getMessage())) {
                failures.add(String.valueOf(failure.getMessage()));
            }
        } catch (CaptureException e) {
            failures.add(String.valueOf(e.getMessage()));
        }
    }

    /** Prints which parts of the captures the replay skips. */
    private void printNotes(List<ReplayRun.Source> sources) {
        Set<String> notes = new LinkedHashSet<>();
        for (ReplayRun.Source source : sources) {
            source.survey().notes().forEach(note -> notes.add(source.capture().file() + ": " + note));
        }
        notes.forEach(mock::warn);
    }

    private List<ReplayRun.Source> sources(ReplayComponent component, ReplaySpeed pace) throws CaptureException {
        List<ReplayRun.Source> sources = new ArrayList<>();
        for (Path file : files) {
            if (file.toString().indexOf('?') >= 0) {
                throw CaptureException.ofFile(file, "the file name must not contain a question mark");
            }
            CaptureFile capture = component.capture(file);
            Survey survey = capture.survey();
            if (pace.timed() && !survey.timed()) {
                throw CaptureException.ofFile(file, "the capture has no timestamps; only --speed max is possible");
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
