package dev.silkroute.app.embedded;

/** A server that the station started as a child process. */
public interface EmbeddedServer extends AutoCloseable {
    ProcessHandle process();

    /** Stops it and waits for its end. */
    @Override
    void close();
}
