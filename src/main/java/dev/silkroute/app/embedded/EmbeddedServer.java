package dev.silkroute.app.embedded;

/** A server that the station has started as a child process. */
public interface EmbeddedServer extends AutoCloseable {
    ProcessHandle process();

    /** Stops the server and waits for its end. */
    @Override
    void close();
}
