package dev.silkroute.app.cli;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.Survey;
import dev.silkroute.component.replay.ReplayComponent;
import dev.silkroute.component.replay.ReplaySpeed;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code silkroute replay}: captures into a station, through the route in {@code routes/replay.xml}. */
@Command(
        name = "replay",
        description = {
            "Replays captures into a station: raw BMP streams, pcap, pcapng and MRT, also compressed with gzip or bzip2.",
            "Every BMP session in every FILE gets a connection of its own, all at the same time."
        })
public final class ReplayCommand implements Callable<Integer> {
    private static final int FAILED = 2;

    /** What a shell reports of a program that SIGINT ended. */
    private static final int INTERRUPTED = 130;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Says this.")
    private boolean help;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "The captures.")
    private List<Path> files = List.of();

    @Option(
            names = "--to",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:11019",
            description = "The station (${DEFAULT-VALUE}).")
    private String to = "";

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

    @Option(names = "--hold", description = "Keep the connections open after the last byte, until interrupted.")
    private boolean hold;

    @Option(
            names = "--routes-dir",
            paramLabel = "DIR",
            defaultValue = "${env:SILKROUTE_ROUTES_DIR:-${sys:silkroute.routes-dir}}",
            description = "Where an edited replay.xml is looked for.")
    private @Nullable Path routesDirectory;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        StationAddress station = station();
        check(loop > 0, "--loop must be 1 or more, not " + loop);
        check(bytes == null || bytes > 0, "--bytes must be 1 or more, not " + bytes);
        ReplaySpeed pace = pace();

        ReplayComponent component = new ReplayComponent();
        List<ReplayRun.Source> sources;
        try {
            sources = sources(component, pace);
        } catch (CaptureException e) {
            err.println("silkroute replay: " + e.getMessage() + "; nothing was sent");
            return FAILED;
        }
        notes(sources);
        ReplayRun.Options options = new ReplayRun.Options(station, speed, loop, limit(), hold, routesDirectory);
        try (Interruption interruption = new Interruption()) {
            return interruption.exit(replay(sources, options, component, interruption));
        }
    }

    private int replay(
            List<ReplayRun.Source> sources,
            ReplayRun.Options options,
            ReplayComponent component,
            Interruption interruption) {
        PrintWriter err = spec.commandLine().getErr();
        long total =
                sources.stream().mapToLong(source -> source.length(options)).sum();
        ReplayTally tally = new ReplayTally(sources.size());
        try (ReplayRun run = new ReplayRun(component, options, tally)) {
            try (ReplayProgress progress = ReplayProgress.on(err, total, tally)) {
                run.start(sources);
                run.await(interruption, progress);
            }
            int code = report(tally, options.station(), interruption.happened(), component);
            if (hold && code == 0 && !interruption.happened()) {
                err.println("silkroute replay: holding the connections open until interrupted");
                err.flush();
                interruption.await();
            }
            return code;
        } catch (ReplayRun.Failure e) {
            err.println("silkroute replay: " + e.getMessage() + "; " + tally.text());
            return FAILED;
        }
    }

    private int report(ReplayTally tally, StationAddress station, boolean interrupted, ReplayComponent component) {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        List<String> failures = new ArrayList<>(tally.failures(station));
        for (Path file : interrupted ? List.<Path>of() : files) {
            fileFailure(component, file, failures);
        }
        failures.forEach(failure -> err.println("silkroute replay: " + failure + "; " + tally.text()));
        if (!failures.isEmpty()) {
            return FAILED;
        }
        if (interrupted && !tally.await(0)) {
            err.println("silkroute replay: interrupted; " + tally.text());
            return hold ? 0 : INTERRUPTED;
        }
        out.println(tally.summary());
        out.flush();
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
        PrintWriter err = spec.commandLine().getErr();
        Set<String> notes = new LinkedHashSet<>();
        for (ReplayRun.Source source : sources) {
            source.survey().notes().forEach(note -> notes.add(source.capture().file() + ": " + note));
        }
        notes.forEach(note -> err.println("silkroute replay: " + note));
        err.flush();
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

    private StationAddress station() {
        try {
            return StationAddress.parse(to);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--to " + to + ": " + e.getMessage(), e);
        }
    }

    private ReplaySpeed pace() {
        try {
            return ReplaySpeed.parse(speed);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e);
        }
    }

    private void check(boolean right, String otherwise) {
        if (!right) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }
}
