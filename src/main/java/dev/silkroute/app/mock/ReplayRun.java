package dev.silkroute.app.mock;

import dev.silkroute.app.console.Interruption;
import dev.silkroute.app.console.Progress;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.Survey;
import dev.silkroute.component.replay.ReplayComponent;
import dev.silkroute.component.replay.ReplayListener;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs the routes of a replay. */
final class ReplayRun implements AutoCloseable {
    private static final String LISTENER = "replayTally";
    private static final long POLL_MILLIS = 100;

    /** Long enough for what is on its way, short enough for a station that does not read. */
    private static final long SHUTDOWN_SECONDS = 2;

    record Source(CaptureFile capture, Survey survey, CaptureSession session) {
        long length(Options options) {
            long pass = options.bytes() > 0 ? Math.min(options.bytes(), session.bytes()) : session.bytes();
            return pass * options.loop();
        }
    }

    record Options(
            StationAddress station,
            String speed,
            int loop,
            long bytes,
            boolean hold,
            @Nullable Path routesDirectory) {}

    private final Options options;
    private final ReplayTally tally;
    private final MockRoutes routes = new MockRoutes("replay", ".xml", SHUTDOWN_SECONDS);

    ReplayRun(ReplayComponent component, Options options, ReplayTally tally) {
        this.options = options;
        this.tally = tally;
        routes.camel().addComponent("replay", component);
        routes.camel().getRegistry().bind(LISTENER, ReplayListener.class, tally);
    }

    /** Starts a route for each session; returns when they run. */
    void start(List<Source> sources) {
        routes.load(options.routesDirectory(), sources.stream().map(this::parameters));
        tally.begin();
        routes.start();
    }

    /** Waits until all sessions have ended, or for the interruption. */
    void await(Interruption interruption, Progress progress) {
        boolean done = false;
        while (!done && !interruption.isRequested()) {
            done = tally.await(POLL_MILLIS);
            progress.update(tally.bytes());
        }
    }

    /** Closes the connections that are still open. */
    @Override
    public void close() {
        routes.close();
    }

    private Map<String, Object> parameters(Source source) {
        return Map.of(
                "file", encode(source.capture().file()),
                "session", source.session().index(),
                "to", options.station(),
                "speed", options.speed(),
                "loop", options.loop(),
                "bytes", options.bytes(),
                "hold", options.hold(),
                "listener", "#" + LISTENER);
    }

    /** A path may hold what means something else in a URI. */
    private static String encode(Path file) {
        return URLEncoder.encode(file.toString(), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }
}
