package dev.silkroute.app.redecode;

import dev.silkroute.net.DecodeException;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.Redecoder;
import java.net.InetAddress;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A session with messages to decode again. It takes its records of {@code bmp.raw} in order, from its first message
 * on, to restore the context in which each message must be decoded. Where records are missing the context is
 * incomplete, and decoding continues only if the options allow that.
 */
final class PastSession {
    private final RedecodeOptions options;
    private final RedecodeOutput output;
    private final Quarantine quarantine;
    private final RedecodeTally tally;
    private final long id;
    private final String router;
    private final InetAddress address;

    /** The receive times of the session's messages in quarantine, by message number. */
    private final NavigableMap<Long, Long> open = new TreeMap<>();

    /** Those of {@code open} that were decoded or failed again. */
    private final Set<Long> attempted = new HashSet<>();

    private @Nullable Redecoder decoder;

    /** The number of the next message expected from {@code bmp.raw}. */
    private long next;

    private long skipped;

    /** Set when messages are missing and the options do not allow decoding without them. */
    private boolean abandoned;

    /** Set while no message since the beginning of the session is missing. */
    private boolean complete;

    PastSession(
            RedecodeOptions options,
            RedecodeOutput output,
            Quarantine quarantine,
            RedecodeTally tally,
            long id,
            String router,
            InetAddress address) {
        this.options = options;
        this.output = output;
        this.quarantine = quarantine;
        this.tally = tally;
        this.id = id;
        this.router = router;
        this.address = address;
    }

    /** Adds a message that is in quarantine. */
    void addOpen(long message, long receivedMicros) {
        open.put(message, receivedMicros);
    }

    /** Returns whether no further record is needed. */
    boolean isDone() {
        return !options.raw() && (abandoned || attempted.size() == open.size());
    }

    void accept(RawRecord record) throws SQLException {
        int messages = countMessages(record);
        long first = record.firstMessage();
        if (messages == 0 || first + messages <= next) {
            return; // a repetition: records are written at least once
        }
        if (first > next) {
            handleGap(first, record.collector());
        }
        boolean inRange = options.includes(record.receivedMicros());
        LongPredicate isWanted = options.raw()
                ? message -> inRange && message >= next
                : message -> message >= next && open.containsKey(message);
        if (abandoned) {
            for (long message = first; message < first + messages; message++) {
                skipped += isWanted.test(message) ? 1 : 0;
            }
        } else {
            decode(record.collector(), record.bytes(), first, record.receivedMicros(), isWanted);
        }
        next = first + messages;
    }

    private int countMessages(RawRecord record) {
        try {
            return Redecoder.messages(record.bytes());
        } catch (DecodeException e) {
            tally.note("record " + record.position() + ": " + e.reason() + " at byte " + e.offset());
            return 0;
        }
    }

    /** Handles that {@code bmp.raw} lacks the messages from {@code next} to before {@code first}. */
    private void handleGap(long first, String collector) throws SQLException {
        if (abandoned) {
            return;
        }
        complete = false;
        tally.note(toString()
                + (next == 0
                        ? ": messages before number " + first + " have expired from bmp.raw"
                        : ": messages " + next + " to " + (first - 1) + " are missing in bmp.raw")
                + consequence());
        if (!options.withoutContext()) {
            abandoned = true;
        } else if (!options.raw()) {
            decodeFromQuarantine(first, collector);
        }
    }

    private String consequence() {
        return options.withoutContext()
                ? "; decoded with incomplete context"
                : "; skipped (use --without-context to decode it with incomplete context)";
    }

    /** Decodes the open messages before a message from the bytes that the quarantine keeps. */
    private void decodeFromQuarantine(long before, String collector) throws SQLException {
        for (Map.Entry<Long, Long> message : List.copyOf(open.headMap(before).entrySet())) {
            byte[] bytes = attempted.contains(message.getKey())
                    ? new byte[0]
                    : quarantine.bytes(new Quarantine.MessageId(id, message.getKey()));
            if (bytes.length > 0 && Redecoder.messages(bytes) == 1) {
                next = Math.max(next, 1); // so that the missing beginning is not reported again
                decode(collector, bytes, message.getKey(), message.getValue(), _ -> true);
            }
        }
    }

    private void decode(String collector, byte[] bytes, long first, long receivedMicros, LongPredicate isWanted)
            throws SQLException {
        if (decoder == null) {
            complete = first == 0 && next == 0;
            decoder = new Redecoder(options.decoding(), collector, router, id, address, complete);
        }
        List<Run> runs = new ArrayList<>();
        decoder.decode(
                bytes, first, receivedMicros, isWanted, (from, count, batch) -> runs.add(new Run(from, count, batch)));
        for (Run run : runs) {
            output.accept(id, run.first, run.messages, run.batch, open.keySet(), complete);
            for (long message = run.first; message < run.first + run.messages; message++) {
                if (open.containsKey(message)) {
                    attempted.add(message);
                }
            }
        }
    }

    /** Consecutive messages that were decoded together. */
    private record Run(long first, int messages, DecodedBatch batch) {}

    /** Completes the session once {@code bmp.raw} has been read to its end. */
    void finish() throws SQLException {
        long missing = options.raw() ? 0 : open.size() - attempted.size();
        if (missing > 0 && !abandoned) {
            tally.note(toString() + ": " + missing + " of its messages have expired from bmp.raw" + consequence());
            if (options.withoutContext()) {
                decodeFromQuarantine(Long.MAX_VALUE, "");
                missing = open.size() - attempted.size();
            }
        }
        tally.addSkipped(options.raw() ? skipped : missing);
    }

    @Override
    public String toString() {
        return "session " + id + " of " + router;
    }
}
