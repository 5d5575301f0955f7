package dev.silkroute.app.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** A child process that stops by itself once its stdin is closed. */
final class Child {
    private static final Logger LOGGER = Logger.getLogger(Child.class);

    private final String name;
    private final Process process;

    Child(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    Process process() {
        return process;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Closes its stdin and waits; past the limit it and what it started are killed. */
    void stop(Duration limit) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            LOGGER.debugf(e, "%s had closed its stdin already", name);
        }
        if (await(limit)) {
            return;
        }
        LOGGER.warnf("%s (pid %d) did not stop within %d s: killed", name, pid(), limit.toSeconds());
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        await(limit);
    }

    private boolean await(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }
}
