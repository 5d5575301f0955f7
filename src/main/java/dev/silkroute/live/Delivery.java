package dev.silkroute.live;

/** A message for a subscriber, or the notice that it has missed some. */
public sealed interface Delivery {
    /** The position in the stream up to which the subscriber is served with this delivery. */
    long position();

    /**
     * A message. All subscribers share it.
     *
     * @param json a JSON object in UTF-8, in the form of RIS Live's {@code data}; do not write to it
     */
    record Message(long position, byte[] json) implements Delivery {}

    /**
     * Messages that the subscriber does not receive, all before {@code position}.
     *
     * @param messages their number; 0 if it is unknown, which only {@link Cause#RESTARTED} has
     */
    record Missed(long position, long messages, Cause cause) implements Delivery {}

    /** Why messages were missed. */
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
