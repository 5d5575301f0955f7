package dev.silkroute.app.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** A child process that stops by itself once its stdin is closed. */
final class ChildProcess {
    private static final Logger LOGGER = Logger.getLogger(ChildProcess.class);

    private final String name;
    private final Process process;

    ChildProcess(String name, Process process) {
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

    /** Closes its stdin and waits for its end. After the limit the process and its descendants are killed. */
    void stop(Duration limit) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            LOGGER.debugf(e, "%s has closed its stdin already", name);
        }
        if (await(limit)) {
            return;
        }
        LOGGER.warnf("%s (process %d) did not stop within %d s and is killed", name, pid(), limit.toSeconds());
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
