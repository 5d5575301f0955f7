package dev.silkroute.perf.framing;

/** A collector that writes BMP sessions to Kafka. It listens on the loopback address until it is closed. */
interface CollectorVariant extends AutoCloseable {
    int port();

    /** Returns the number of sessions that are connected or have unacknowledged records. */
    int openSessions();

    @Override
    void close() throws Exception;

    /** Starts a collector that writes to the topic. */
    @FunctionalInterface
    interface Factory {
        CollectorVariant start(String topic) throws Exception;
    }
}
