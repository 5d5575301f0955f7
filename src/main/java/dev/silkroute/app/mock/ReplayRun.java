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
import org.apache.camel.component.netty.NettyComponent;
import org.jspecify.annotations.Nullable;

/** Runs one route of the template {@code replay} for each session. */
final class ReplayRun implements AutoCloseable {
    private static final String LISTENER = "replayTally";
    private static final long POLL_MILLIS = 100;

    /** Long enough to send what is pending, short enough for a station that has stopped reading. */
    private static final long SHUTDOWN_SECONDS = 2;

    /** A session and the capture that contains it. */
    record Source(CaptureFile capture, Survey survey, CaptureSession session) {
        /** Returns the number of bytes that all passes send. */
        long length(Options options) {
            long pass = options.bytes() > 0 ? Math.min(options.bytes(), session.bytes()) : session.bytes();
            return pass * options.loop();
        }
    }

    /**
     * @param tls null if the connections do not use TLS
     * @param loop how many times each session is sent
     * @param bytes where each pass stops, 0 for the end of the session
     */
    record Options(
            StationAddress station,
            @Nullable StationTls tls,
            String speed,
            int loop,
            long bytes,
            boolean hold,
            @Nullable Path routesDirectory) {}

    private final Options options;
    private final ReplayTally tally;
    private final MockRoutes routes = new MockRoutes("replay", SHUTDOWN_SECONDS);

    ReplayRun(ReplayComponent component, Options options, ReplayTally tally) {
        this.options = options;
        this.tally = tally;
        routes.camel().addComponent("replay", component);
        if (options.tls() != null) {
            routes.camel()
                    .getComponent("netty", NettyComponent.class)
                    .getConfiguration()
                    .addDecoder(options.tls());
        }
        routes.camel().getRegistry().bind(LISTENER, ReplayListener.class, tally);
    }

    /** Starts a route for each session and returns when they are running. */
    void start(List<Source> sources) {
        routes.load(options.routesDirectory(), sources.stream().map(this::parameters));
        tally.begin();
        routes.start();
    }

    /** Waits until all sessions have ended or the command is interrupted. */
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

    /** Percent-encodes a path, whose characters could have a meaning in an endpoint URI. */
    private static String encode(Path file) {
        return URLEncoder.encode(file.toString(), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }
}
