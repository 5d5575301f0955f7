package dev.silkroute.live;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A message for a subscriber, or the notice that it has missed some. */
public sealed interface Delivery {
    /** The position in the stream up to which the subscriber is served with this delivery. */
    long position();

    /**
     * A message. All subscribers share its bytes, so that one more costs no copy of them.
     *
     * @param text a {@code ris_message} in UTF-8, whose {@code data} has the UPDATE in hexadecimal digits as its last
     *     member {@code raw}, if there is one and a subscriber includes it; do not write to it
     * @param rawAt the offset of this member with its comma; without it that of the brace that closes {@code data}
     */
    record Message(long position, byte[] text, int rawAt) implements Delivery {
        private static final byte[] BEGIN = "{\"type\":\"ris_message\",\"data\":".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] RAW = ",\"raw\":\"".getBytes(StandardCharsets.US_ASCII);

        /** @param json the object {@code data} in UTF-8, without {@code raw} */
        static Message of(long position, byte[] json, byte @Nullable [] raw) {
            int rawAt = BEGIN.length + json.length - 1;
            ByteBuffer text = ByteBuffer.allocate(rawAt + (raw == null ? 0 : RAW.length + raw.length + 1) + 2)
                    .put(BEGIN)
                    .put(json, 0, json.length - 1);
            if (raw != null) {
                text.put(RAW).put(raw).put((byte) '"');
            }
            return new Message(position, close(text, 2), rawAt);
        }

        private static byte[] close(ByteBuffer text, int objects) {
            for (int i = 0; i < objects; i++) {
                text.put((byte) '}');
            }
            return text.array();
        }

        /** Returns the {@code ris_message} with {@code raw}, if there is one, or without it; do not write to it. */
        public byte[] text(boolean includeRaw) {
            return includeRaw || rawAt == text.length - 2
                    ? text
                    : close(ByteBuffer.allocate(rawAt + 2).put(text, 0, rawAt), 2);
        }

        /** Returns {@code data} with {@code raw}, if there is one, or without it. */
        public byte[] data(boolean includeRaw) {
            int length = (includeRaw ? text.length - 2 : rawAt) - BEGIN.length;
            return close(ByteBuffer.allocate(length + 1).put(text, BEGIN.length, length), 1);
        }

        /** The memory that the message uses in queues. */
        int size() {
            return text.length;
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
