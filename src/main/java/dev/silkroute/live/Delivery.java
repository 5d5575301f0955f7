package dev.silkroute.live;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A message for a subscriber, or the notice that it has missed some. */
public sealed interface Delivery {
    /** The position in the stream up to which the subscriber is served with this delivery. */
    long position();

    /**
     * A message. All subscribers share it.
     *
     * @param json a JSON object in UTF-8, in the form of RIS Live's {@code data}; do not write to it
     * @param raw the UPDATE in hexadecimal digits, if there is one and a subscriber includes it; do not write to
     *     it
     */
    record Message(long position, byte[] json, byte @Nullable [] raw) implements Delivery {
        private static final byte[] RAW = ",\"raw\":\"".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] END = {'"', '}'};

        /** Returns the object with {@code raw} as its last member, or without it. */
        public byte[] json(boolean includeRaw) {
            if (!includeRaw || raw == null) {
                return json;
            }
            return ByteBuffer.allocate(json.length - 1 + RAW.length + raw.length + END.length)
                    .put(json, 0, json.length - 1)
                    .put(RAW)
                    .put(raw)
                    .put(END)
                    .array();
        }

        /** The memory that the message uses in queues. */
        int size() {
            return json.length + (raw == null ? 0 : raw.length);
        }
    }

    /**
     * Messages that the subscriber does not receive, all before {@code position}.
     *
     * @param messages their number; 0 if it is unknown, which only {@link Cause#RESTARTED} has
     */
    record Missed(long position, long messages, Cause cause) implements Delivery {}

    /** The reasons for which messages are missed. */
    enum Cause {
        /** The subscriber's queue was full. The number counts messages that its filters match. */
        SLOW("slow"),
        /** The subscriber resumed too late. The number counts all messages that are no longer kept. */
        EXPIRED("expired"),
        /** The subscriber resumed after the station was restarted. The number is unknown. */
        RESTARTED("restarted");

        private final String text;

        Cause(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }
}
