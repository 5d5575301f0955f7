package dev.silkroute.perf.forget;

/** One way to send messages over TCP. Used by one thread. */
interface Sender extends AutoCloseable {
    /** Connects to a port of this machine, or makes ready to. */
    interface Factory {
        Sender start(int port) throws Exception;
    }

    /** Sends messages, as many as the contender's batch has. They stay the caller's. */
    void send(byte[][] messages) throws Exception;

    /** Flushes: when this returns, everything sent before is on its way. */
    void flush() throws Exception;

    @Override
    void close() throws Exception;
}
