package dev.silkroute.capture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Follows every TCP direction of a capture and keeps what it finds out about those that are BMP. Memory is bounded by
 * the number of streams followed at once: of those not known to be BMP the one silent for longest is forgotten, and
 * counts as seen from its middle should it speak again.
 */
final class PacketSurvey {
    private static final int MAX_CANDIDATES = 1 << 16;
    private static final int MAX_SESSIONS = 1 << 16;

    private final Path file;
    private final ReassemblyLimit limit;
    private final TcpSegment segment = new TcpSegment();
    private final Map<Flow, Followed> sessions = new HashMap<>();
    private final List<Followed> found = new ArrayList<>();
    private final Map<Flow, Followed> candidates = new LinkedHashMap<>(16, 0.75f, true);
    private long now;
    private boolean timed;
    private long packets;
    private long unread;
    private int unreadLinkType;
    private long unreadPosition;
    private long position;
    private long crowdedOut;
    private @Nullable CaptureException failure;

    PacketSurvey(Path file, ReassemblyLimit limit) {
        this.file = file;
        this.limit = limit;
    }

    void read(PacketReader reader) {
        try {
            while (reader.next()) {
                packets++;
                now = reader.timeNanos();
                position = reader.offset();
                timed = reader.timed();
                if (!LinkLayer.isKnown(reader.linkType())) {
                    countUnread(reader);
                } else if (segment.read(reader.linkType(), reader.bytes(), reader.length(), now)) {
                    add(reader.offset());
                }
            }
        } catch (CaptureException e) {
            failure = e;
        }
    }

    private void countUnread(PacketReader reader) {
        if (unread++ == 0) {
            unreadLinkType = reader.linkType();
            unreadPosition = reader.offset();
        }
    }

    private void add(long packet) throws CaptureException {
        Flow flow = segment.flow();
        Followed followed = sessions.get(flow);
        boolean session = followed != null;
        followed = session ? followed : candidates.get(flow);
        if (followed != null && followed.stream.restartedBy(segment)) {
            finish(followed);
            sessions.remove(flow);
            session = false;
            followed = null;
        }
        if (followed == null) {
            followed = new Followed(packet);
            candidates.put(flow, followed);
        }
        followed.stream.add(segment, packet);
        countCrowdedOut(followed);
        if (!session && followed.stream.state() == BmpStart.State.BMP) {
            candidates.remove(flow);
            sessions.put(flow, followed);
            keep(followed);
        }
        forgetTheEldest();
    }

    private void keep(Followed followed) throws CaptureException {
        if (found.size() == MAX_SESSIONS) {
            throw new CaptureException(file, position, "more than " + MAX_SESSIONS + " BMP sessions");
        }
        found.add(followed);
    }

    private void forgetTheEldest() {
        if (candidates.size() > MAX_CANDIDATES) {
            var eldest = candidates.entrySet().iterator();
            eldest.next().getValue().stream.discard();
            eldest.remove();
        }
    }

    private void finish(Followed followed) throws CaptureException {
        boolean known = followed.stream.state() == BmpStart.State.BMP;
        followed.brokenBefore = followed.stream.broken();
        followed.stream.finish();
        countCrowdedOut(followed);
        if (!known && followed.stream.state() == BmpStart.State.BMP) {
            keep(followed);
        }
    }

    private void countCrowdedOut(Followed followed) {
        if (followed.stream.lacksRoom() && !followed.crowdedOut) {
            followed.crowdedOut = true;
            crowdedOut++;
        }
    }

    Survey result() throws CaptureException {
        for (Followed candidate : candidates.values()) {
            finish(candidate);
        }
        for (Followed session : sessions.values()) {
            finish(session);
        }
        if (found.isEmpty()) {
            throw failure != null ? failure : nothingFound();
        }
        found.sort(Comparator.comparingLong(followed -> followed.stream.begin()));
        List<CaptureSession> result = new ArrayList<>(found.size());
        for (Followed session : found) {
            result.add(session.describe(result.size()));
        }
        return new Survey(result, found.stream().allMatch(session -> session.timed), notes(result), failure);
    }

    private List<String> notes(List<CaptureSession> sessions) {
        List<String> notes = new ArrayList<>();
        for (CaptureSession session : sessions) {
            if (session.skipped() > 0) {
                notes.add(session.name() + " begins in the middle of a message: " + session.skipped()
                        + " bytes are left out");
            }
        }
        if (crowdedOut > 0) {
            notes.add(leftOut());
        }
        return notes;
    }

    private String leftOut() {
        return "left out because too many at once may be BMP: " + crowdedOut
                + " of the TCP streams without a beginning";
    }

    private CaptureException nothingFound() {
        String nothing = "no BMP session in " + packets + " packets" + (crowdedOut == 0 ? "" : "; " + leftOut());
        return unread == 0
                ? new CaptureException(file, position, nothing)
                : new CaptureException(
                        file,
                        unreadPosition,
                        nothing + ", of which " + unread + " cannot be read: " + LinkLayer.unknown(unreadLinkType));
    }

    /** One stream and the tally of its BMP bytes. */
    private final class Followed implements TcpStream.Sink {
        private final SessionStream stream;
        private final BmpMessageCounter counter = new BmpMessageCounter();
        private long bytes;
        private long start;
        private boolean timed;
        private boolean brokenBefore;
        private boolean crowdedOut;

        Followed(long packet) {
            stream = new SessionStream(segment, packet, limit, this);
        }

        @Override
        public void accept(byte[] array, int from, int to) {
            if (bytes == 0) {
                start = now;
                timed = PacketSurvey.this.timed;
            }
            bytes += to - from;
            counter.add(array, from, to);
        }

        CaptureSession describe(int index) {
            // What the rest of a truncated file would have filled is not a gap of the capture.
            boolean cutOff = failure != null && !brokenBefore && !stream.closed();
            return new CaptureSession(
                    index,
                    stream.flow().toString(),
                    stream.flow(),
                    stream.begin(),
                    start,
                    bytes,
                    counter.messages(),
                    stream.skipped(),
                    cutOff ? failure : stream.gap(file));
        }
    }
}
