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
 * One session that has messages to decode again. Takes its records of {@code bmp.raw} in their order from its first message
 * on; where some are missing, what the session knew is missing too, and then it goes on only if it was told to.
 */
final class PastSession {
    private final RedecodeOptions options;
    private final RedecodeOutput output;
    private final OpenMessages quarantine;
    private final RedecodeTally tally;
    private final long id;
    private final String router;
    private final InetAddress address;

    /** Receive times of those of its messages that are in quarantine, by message. */
    private final NavigableMap<Long, Long> open = new TreeMap<>();
    /** Of these, the ones that were decoded or given up, so that {@link #isDone} costs nothing. */
    private final Set<Long> tried = new HashSet<>();

    private @Nullable Redecoder decoder;
    private long next;
    private long left;
    private boolean lost;
    private boolean complete;

    PastSession(
            RedecodeOptions options,
            RedecodeOutput output,
            OpenMessages quarantine,
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

    void isOpen(long message, long receivedMicros) {
        open.put(message, receivedMicros);
    }

    /** Whether no further record is needed. */
    boolean isDone() {
        return !options.raw() && (lost || tried.size() == open.size());
    }

    void take(RawRecord record) throws SQLException {
        int messages = messages(record);
        long first = record.firstMessage();
        if (messages == 0 || first + messages <= next) {
            return; // Kafka keeps a record at least once
        }
        if (first > next) {
            missing(first, record.collector());
        }
        boolean inRange = options.includes(record.receivedMicros());
        LongPredicate wanted = options.raw()
                ? message -> inRange && message >= next
                : message -> message >= next && open.containsKey(message);
        if (lost) {
            for (long message = first; message < first + messages; message++) {
                left += wanted.test(message) ? 1 : 0;
            }
        } else {
            decode(record.collector(), record.bytes(), first, record.receivedMicros(), wanted);
        }
        next = first + messages;
    }

    private int messages(RawRecord record) {
        try {
            return Redecoder.messages(record.bytes());
        } catch (DecodeException e) {
            tally.note("record " + record.place() + ": " + e.reason() + " at byte " + e.offset());
            return 0;
        }
    }

    /** Messages before {@code first} are not on {@code bmp.raw}. */
    private void missing(long first, String collector) throws SQLException {
        if (lost) {
            return;
        }
        complete = false;
        tally.note(toString()
                + (next == 0
                        ? ": bmp.raw has it from message " + first + " on only, its beginning is gone"
                        : ": bmp.raw lacks its messages " + next + " to " + (first - 1))
                + consequence());
        if (!options.withoutContext()) {
            lost = true;
        } else if (!options.raw()) {
            fromQuarantine(first, collector);
        }
    }

    private String consequence() {
        return options.withoutContext()
                ? "; decoded with what is known"
                : "; left as it is (--without-context decodes it with what is known)";
    }

    /** What is in quarantine before a message, by the bytes that are kept there. */
    private void fromQuarantine(long before, String collector) throws SQLException {
        for (Map.Entry<Long, Long> message : List.copyOf(open.headMap(before).entrySet())) {
            byte[] bytes = tried.contains(message.getKey())
                    ? new byte[0]
                    : quarantine.bytes(new OpenMessages.Place(id, message.getKey()));
            if (bytes.length > 0 && Redecoder.messages(bytes) == 1) {
                next = Math.max(next, 1); // its beginning isn't told again
                decode(collector, bytes, message.getKey(), message.getValue(), any -> true);
            }
        }
    }

    private void decode(String collector, byte[] bytes, long first, long receivedMicros, LongPredicate wanted)
            throws SQLException {
        if (decoder == null) {
            complete = first == 0 && next == 0;
            decoder = new Redecoder(options.decoding(), collector, router, id, address, complete);
        }
        List<Run> runs = new ArrayList<>();
        decoder.decode(
                bytes, first, receivedMicros, wanted, (from, count, batch) -> runs.add(new Run(from, count, batch)));
        for (Run run : runs) {
            output.take(id, run.first, run.messages, run.batch, open.keySet(), complete);
            for (long message = run.first; message < run.first + run.messages; message++) {
                if (open.containsKey(message)) {
                    tried.add(message);
                }
            }
        }
    }

    private record Run(long first, int messages, DecodedBatch batch) {}

    /** {@code bmp.raw} is read to its end. */
    void finish() throws SQLException {
        long gone = options.raw() ? 0 : open.size() - tried.size();
        if (gone > 0 && !lost) {
            tally.note(toString() + ": bmp.raw no longer has " + gone + " of its messages" + consequence());
            if (options.withoutContext()) {
                fromQuarantine(Long.MAX_VALUE, "");
                gone = open.size() - tried.size();
            }
        }
        tally.left(options.raw() ? left : gone);
    }

    @Override
    public String toString() {
        return "session " + id + " of " + router;
    }
}
