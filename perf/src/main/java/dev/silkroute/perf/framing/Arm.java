package dev.silkroute.perf.framing;

/** One way to bring BMP sessions to Kafka, listening on the loopback address until it is closed. */
interface Arm extends AutoCloseable {
    int port();

    /** Sessions that are connected, or of which a record is not acknowledged yet. */
    int openSessions();

    @Override
    void close() throws Exception;

    /** Makes an arm that sends to this topic. */
    @FunctionalInterface
    interface Factory {
        Arm start(String topic) throws Exception;
    }
}
