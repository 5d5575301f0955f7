package dev.silkroute.capture.packet;

import dev.silkroute.capture.BmpMessageCounter;
import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.Flow;
import dev.silkroute.capture.Survey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the BMP sessions of a packet capture in one pass. Not thread-safe.
 *
 * <p>Every TCP direction starts as a candidate and becomes a session once its content is recognized as BMP. Memory is
 * bounded by the number of candidates: beyond it the one that has been silent for longest is forgotten, and treated as
 * a stream without a beginning if it continues.
 */
final class PacketSurvey {
    private static final int MAX_CANDIDATES = 1 << 16;
    private static final int MAX_SESSIONS = 1 << 16;

    private final Path file;
    private final ReassemblyLimit limit;
    private final TcpSegment segment = new TcpSegment();

    /** Streams not known to be BMP, in the order of their last packets. */
    private final Map<Flow, TrackedStream> candidates = new LinkedHashMap<>(16, 0.75f, true);

    /** The current session of each flow that carries BMP. */
    private final Map<Flow, TrackedStream> sessions = new HashMap<>();

    /** All sessions, ended ones included. */
    private final List<TrackedStream> found = new ArrayList<>();

    private final UnsupportedPackets unsupported = new UnsupportedPackets();

    /** Streams that were given up because {@link ReassemblyLimit} left no memory to find their first message. */
    private long givenUp;

    // The current packet.
    private long packets;
    private long packetOffset;
    private long packetNanos;
    private boolean isPacketTimed;

    /** The reason for which the file could not be read to its end. */
    private @Nullable CaptureException failure;

    PacketSurvey(Path file, ReassemblyLimit limit) {
        this.file = file;
        this.limit = limit;
    }

    void read(PacketReader reader) {
        try {
            while (reader.next()) {
                packets++;
                packetOffset = reader.offset();
                packetNanos = reader.timeNanos();
                isPacketTimed = reader.isTimed();
                if (!LinkLayer.isKnown(reader.linkType())) {
                    unsupported.add(reader);
                } else if (segment.read(reader.linkType(), reader.bytes(), reader.length(), packetNanos)) {
                    addSegment();
                }
            }
        } catch (CaptureException e) {
            failure = e;
        }
    }

    private void addSegment() throws CaptureException {
        Flow flow = segment.flow();
        TrackedStream session = sessions.get(flow);
        if (session != null && session.stream.isRestartedBy(segment)) {
            finish(session);
            sessions.remove(flow);
            session = null;
        }
        if (session != null) {
            session.add();
        } else {
            addToCandidate(flow);
        }
        if (candidates.size() > MAX_CANDIDATES) {
            var eldest = candidates.entrySet().iterator();
            eldest.next().getValue().stream.discard();
            eldest.remove();
        }
    }

    private void addToCandidate(Flow flow) throws CaptureException {
        TrackedStream candidate = candidates.get(flow);
        if (candidate != null && candidate.stream.isRestartedBy(segment)) {
            finish(candidate);
            candidate = null;
        }
        if (candidate == null) {
            candidate = new TrackedStream();
            candidates.put(flow, candidate);
        }
        candidate.add();
        if (candidate.isBmp()) {
            candidates.remove(flow);
            sessions.put(flow, candidate);
            addFound(candidate);
        }
    }

    private void addFound(TrackedStream session) throws CaptureException {
        if (found.size() == MAX_SESSIONS) {
            throw new CaptureException(file, packetOffset, "more than " + MAX_SESSIONS + " BMP sessions");
        }
        found.add(session);
    }

    /** Ends a stream. A short one may be recognized as BMP only now. */
    private void finish(TrackedStream tracked) throws CaptureException {
        boolean wasBmp = tracked.isBmp();
        tracked.finish();
        if (!wasBmp && tracked.isBmp()) {
            addFound(tracked);
        }
    }

    Survey result() throws CaptureException {
        for (TrackedStream candidate : candidates.values()) {
            finish(candidate);
        }
        for (TrackedStream session : sessions.values()) {
            finish(session);
        }
        if (found.isEmpty()) {
            throw failure != null ? failure : nothingFound();
        }
        found.sort(Comparator.comparingLong(session -> session.stream.begin()));
        List<CaptureSession> result = new ArrayList<>(found.size());
        for (TrackedStream session : found) {
            result.add(session.describe(result.size()));
        }
        return new Survey(result, found.stream().allMatch(session -> session.isTimed), notes(result), failure);
    }

    private List<String> notes(List<CaptureSession> described) {
        List<String> notes = new ArrayList<>();
        for (CaptureSession session : described) {
            if (session.skipped() > 0) {
                notes.add(session.name() + " begins in the middle of a message: " + session.skipped()
                        + " bytes are left out");
            }
        }
        if (givenUp > 0) {
            notes.add(givenUpNote());
        }
        return notes;
    }

    private String givenUpNote() {
        return "left out because too many at once may be BMP: " + givenUp + " of the TCP streams without a beginning";
    }

    private CaptureException nothingFound() {
        String nothing = "no BMP session in " + packets + " packets" + (givenUp == 0 ? "" : "; " + givenUpNote());
        return unsupported.count == 0
                ? new CaptureException(file, packetOffset, nothing)
                : new CaptureException(file, unsupported.firstOffset, nothing + unsupported.text());
    }

    /** Counts packets of link types that cannot be read. */
    private static final class UnsupportedPackets {
        private long count;
        private int firstLinkType;
        private long firstOffset;

        void add(PacketReader reader) {
            if (count++ == 0) {
                firstLinkType = reader.linkType();
                firstOffset = reader.offset();
            }
        }

        String text() {
            return ", of which " + count + " cannot be read: " + LinkLayer.unsupported(firstLinkType);
        }
    }

    /** A stream and what is known about its BMP bytes. */
    private final class TrackedStream implements TcpStream.Sink {
        private final SessionStream stream;
        private final BmpMessageCounter counter = new BmpMessageCounter();
        private long bytes;
        private long startNanos;

        /** True if the first BMP byte has a time. */
        private boolean isTimed;

        /** True if bytes were known to be missing before the capture or the connection ended. */
        private boolean hadGap;

        private boolean isGivenUp;

        /** Starts with the current segment, which must be added next. */
        TrackedStream() {
            stream = new SessionStream(segment, packetOffset, limit, this);
        }

        boolean isBmp() {
            return stream.state() == BmpStartFinder.State.BMP;
        }

        void add() {
            stream.add(segment, packetOffset);
            countIfGivenUp();
        }

        void finish() {
            hadGap = stream.hasGap();
            stream.finish();
            countIfGivenUp();
        }

        private void countIfGivenUp() {
            if (stream.isOverLimit() && !isGivenUp) {
                isGivenUp = true;
                givenUp++;
            }
        }

        @Override
        public void accept(byte[] array, int from, int to) {
            if (bytes == 0) {
                startNanos = packetNanos;
                isTimed = isPacketTimed;
            }
            bytes += to - from;
            counter.add(array, from, to);
        }

        CaptureSession describe(int index) {
            // Bytes that the rest of a truncated file would contain are not a gap of the capture.
            boolean isCutOff = failure != null && !hadGap && !stream.isClosed();
            return new CaptureSession(
                    index,
                    stream.flow().toString(),
                    stream.flow(),
                    stream.begin(),
                    startNanos,
                    bytes,
                    counter.messages(),
                    stream.skipped(),
                    isCutOff ? failure : stream.gap(file));
        }
    }
}
