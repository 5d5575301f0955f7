package dev.silkroute.component.replay;

import dev.silkroute.capture.BmpMessageCounter;
import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.Survey;
import java.util.concurrent.ExecutorService;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.apache.camel.support.DefaultConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a session to its route chunk by chunk, on a thread of its own. A chunk is read only when the route is done with
 * the one before, so a slow route slows the replay down and at most two chunks are in memory.
 */
public class ReplayConsumer extends DefaultConsumer {
    private static final Logger LOGGER = LoggerFactory.getLogger(ReplayConsumer.class);

    private final ReplayConfiguration configuration;
    private final CaptureFile capture;
    private final Survey survey;
    private final CaptureSession session;
    private final ReplaySpeed speed;
    private volatile Pacer pacer = new Pacer();
    private @Nullable ExecutorService executor;
    private long bytes;
    private long messages;

    public ReplayConsumer(
            ReplayEndpoint endpoint, Processor processor, CaptureFile capture, Survey survey, CaptureSession session) {
        super(endpoint, processor);
        this.configuration = endpoint.getConfiguration();
        this.capture = capture;
        this.survey = survey;
        this.session = session;
        this.speed = ReplaySpeed.parse(configuration.getSpeed());
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        pacer = new Pacer();
        executor = getEndpoint()
                .getCamelContext()
                .getExecutorServiceManager()
                .newSingleThreadExecutor(this, "Replay " + session.name());
        executor.execute(this::run);
    }

    @Override
    protected void doStop() throws Exception {
        pacer.stop();
        if (executor != null) {
            // Not awaited, because the thread may wait for a station that does not read until the producer is stopped.
            executor.shutdown();
            executor = null;
        }
        super.doStop();
    }

    private void run() {
        bytes = 0;
        messages = 0;
        boolean complete = true;
        Throwable failure = null;
        try {
            for (int pass = 0; pass < configuration.getLoop() && complete; pass++) {
                complete = replay(pass);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            complete = false;
        } catch (Exception | Error e) {
            // Errors, too: the listener must be notified of every end.
            failure = e;
        }
        // A failure after the route was stopped is a consequence of that.
        boolean stopped = !complete || (failure != null && pacer.isStopped());
        report(new ReplayEnd(capture.file(), session, bytes, messages, stopped ? null : failure, stopped));
    }

    /** Replays the session once. Returns false if stopped. */
    private boolean replay(int pass) throws Exception {
        BmpMessageCounter counter = new BmpMessageCounter();
        boolean close = !configuration.isHold() || pass < configuration.getLoop() - 1;
        long origin = System.nanoTime();
        try (ChunkReader chunks = open()) {
            while (chunks.hasNext()) {
                ReplayChunk chunk = chunks.next();
                if (!pacer.await(Pacer.plus(origin, due(chunk.timeNanos)))) {
                    return false;
                }
                chunk = speed.timed() ? withDuePackets(chunk, chunks, origin) : chunk;
                send(chunk, pass, !chunks.hasNext() && (close || chunks.failure() != null));
                if (chunk.offset == 0) {
                    // The first chunk opens the connection; the time that takes must not shorten the following
                    // intervals.
                    origin = System.nanoTime() - due(chunk.timeNanos);
                }
                count(chunk, counter);
            }
            if (chunks.failure() != null) {
                throw chunks.failure();
            }
        }
        return true;
    }

    /** Adds packets that are due already: sent singly to a slow route, each would be later than the one before. */
    private ReplayChunk withDuePackets(ReplayChunk first, ChunkReader chunks, long origin) {
        ReplayChunk chunk = first;
        ReplayChunk before = null;
        while (chunk != before && chunks.hasNext() && due(chunks.nextTimeNanos()) <= System.nanoTime() - origin) {
            before = chunk;
            chunk = chunks.append(chunk);
        }
        return chunk;
    }

    private void count(ReplayChunk chunk, BmpMessageCounter counter) {
        int ended = counter.add(chunk.bytes, 0, chunk.bytes.length);
        bytes += chunk.bytes.length;
        messages += ended;
        if (configuration.getListener() != null) {
            configuration.getListener().sent(chunk.bytes.length, ended);
        }
    }

    private ChunkReader open() throws CaptureException {
        long limit = configuration.getBytes() > 0 ? configuration.getBytes() : Long.MAX_VALUE;
        return new ChunkReader(capture.read(session), configuration.getChunkSize(), limit, speed.timed());
    }

    /** Returns when a chunk is due, in nanoseconds after the start of the capture. */
    private long due(long timeNanos) {
        return speed.dueNanos(timeNanos - survey.startNanos());
    }

    private void send(ReplayChunk chunk, int pass, boolean close) throws Exception {
        Exchange exchange = createExchange(false);
        try {
            Message message = exchange.getIn();
            message.setHeader(ReplayConstants.FILE, capture.file().toString());
            message.setHeader(ReplayConstants.SESSION, session.index());
            message.setHeader(ReplayConstants.PASS, pass);
            message.setHeader(ReplayConstants.OFFSET, chunk.offset);
            if (survey.timed()) {
                message.setHeader(ReplayConstants.TIME, chunk.timeNanos);
            }
            if (close) {
                message.setHeader(ReplayConstants.CLOSE, true);
            }
            message.setBody(chunk.bytes);
            getProcessor().process(exchange);
            if (exchange.getException() != null) {
                throw exchange.getException();
            }
        } finally {
            releaseExchange(exchange, false);
        }
    }

    private void report(ReplayEnd end) {
        ReplayListener listener = configuration.getListener();
        if (listener != null) {
            listener.ended(end);
        } else if (end.failure() != null) {
            LOGGER.warn(
                    "Replay of {} ended after {} bytes: {}",
                    session.name(),
                    bytes,
                    end.failure().getMessage());
        } else {
            LOGGER.info("Replayed {} of {}: {} bytes, {} messages", session.name(), capture.file(), bytes, messages);
        }
    }
}
