package dev.silkroute.mrt;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureInput;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.SessionReader;
import dev.silkroute.capture.SessionSource;
import dev.silkroute.capture.Survey;
import dev.silkroute.net.DecodeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The BMP sessions of an MRT file, one for each collector in it. Thread-safe after the survey. */
final class MrtSource implements SessionSource {
    private static final long NANOS_PER_MICRO = 1000;

    private final Path file;
    private final SessionCapabilitiesList capabilities = SessionCapabilitiesList.inferring();

    MrtSource(Path file) {
        this.file = file;
    }

    @Override
    public Survey survey() throws CaptureException {
        MrtPlayer player = player(capabilities);
        List<Long> bytes = new ArrayList<>();
        CaptureException failure = null;
        long records = 0;
        MrtRouter last = null;
        try (MrtRecord record = new MrtRecord(CaptureInput.open(file))) {
            try {
                while (record.next()) {
                    records++;
                    play(player, record);
                    last = consume(player, bytes, last);
                }
                player.finish();
            } catch (CaptureException e) {
                failure = e;
            }
            last = consume(player, bytes, last);
        }
        for (BgpSessions.Opened opened : player.opened()) {
            MrtRouter router = opened.router();
            router.peerUpOfSameLength(opened.capabilities());
            addBytes(router, bytes);
        }
        if (player.routers().isEmpty()) {
            throw failure != null
                    ? failure
                    : new CaptureException(file, 0, "no BGP peer in " + records + " MRT records");
        }
        List<CaptureSession> sessions = new ArrayList<>();
        for (MrtRouter router : player.routers()) {
            sessions.add(describe(router, bytes.get(router.index()), router == last ? failure : null));
        }
        return new Survey(sessions, true, player.notes(), failure);
    }

    /** Consumes the generated messages of all routers. Returns the last router that had any. */
    private static @Nullable MrtRouter consume(MrtPlayer player, List<Long> bytes, @Nullable MrtRouter last) {
        MrtRouter latest = last;
        for (MrtRouter router : player.routers()) {
            if (router.index() == bytes.size()) {
                bytes.add(0L);
            }
            if (router.completeBytes() > 0) {
                addBytes(router, bytes);
                latest = router;
            }
        }
        return latest;
    }

    private static void addBytes(MrtRouter router, List<Long> bytes) {
        bytes.set(router.index(), bytes.get(router.index()) + router.completeBytes());
        router.reset();
    }

    private static CaptureSession describe(MrtRouter router, long bytes, @Nullable CaptureException failure) {
        return new CaptureSession(
                router.index(),
                router.name(),
                null,
                router.begin(),
                router.startMicros() * NANOS_PER_MICRO,
                bytes,
                router.messages(),
                0,
                failure);
    }

    /** Plays a record. Decoding errors become errors of the file. */
    private void play(MrtPlayer player, MrtRecord record) throws CaptureException {
        try {
            player.play(record);
        } catch (DecodeException e) {
            throw new CaptureException(file, record.offset() + MrtRecord.HEADER + e.offset(), "damaged: " + e.reason());
        }
    }

    private MrtPlayer player(SessionCapabilitiesList of) {
        return new MrtPlayer(of, String.valueOf(file.getFileName()));
    }

    @Override
    public SessionReader read(CaptureSession session) throws CaptureException {
        return new Reader(new MrtRecord(CaptureInput.open(file)), player(capabilities.inferred()), session.index());
    }

    /** Generates the messages of one router, a piece for each record that concerns it. */
    private final class Reader implements SessionReader {
        private final MrtRecord record;
        private final MrtPlayer player;
        private final int index;
        private boolean isFinished;

        Reader(MrtRecord record, MrtPlayer player, int index) {
            this.record = record;
            this.player = player;
            this.index = index;
        }

        @Override
        public boolean next() throws CaptureException {
            player.routers().forEach(MrtRouter::reset);
            while (!isFinished && to() == 0) {
                player.routers().forEach(MrtRouter::reset);
                if (record.next()) {
                    play();
                } else {
                    isFinished = true;
                    player.finish();
                }
            }
            return to() > 0;
        }

        /** Plays all records. If one cannot be read to its end, the messages before the error are a piece, too. */
        private void play() throws CaptureException {
            try {
                MrtSource.this.play(player, record);
            } catch (CaptureException e) {
                isFinished = true;
                if (to() == 0) {
                    throw e;
                }
            }
        }

        @Override
        public byte[] bytes() {
            return player.routers().get(index).out().array();
        }

        @Override
        public int from() {
            return 0;
        }

        @Override
        public int to() {
            return index < player.routers().size() ? player.routers().get(index).completeBytes() : 0;
        }

        @Override
        public long timeNanos() {
            return record.timeMicros() * NANOS_PER_MICRO;
        }

        @Override
        public void close() {
            record.close();
        }
    }
}
