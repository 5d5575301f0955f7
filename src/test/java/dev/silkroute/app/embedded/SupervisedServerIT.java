package dev.silkroute.app.embedded;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Restarts of servers, for which processes of {@code cat} stand in. */
class SupervisedServerIT {
    private final List<Server> started = Collections.synchronizedList(new ArrayList<>());

    private static final class Server implements EmbeddedServer {
        private final Process process;
        private final AtomicBoolean closed = new AtomicBoolean();

        Server() {
            try {
                process = new ProcessBuilder("cat").start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public ProcessHandle process() {
            return process.toHandle();
        }

        @Override
        public void close() {
            closed.set(true);
            process.destroy();
        }
    }

    private Server start() {
        Server server = new Server();
        started.add(server);
        return server;
    }

    @Test
    void aServerThatEndsUnexpectedlyIsRestarted() {
        try (SupervisedServer<Server> supervised = SupervisedServer.start("cat", this::start)) {
            Server first = supervised.get();
            first.process.destroy();
            await().until(() -> supervised.get() != first);
            assertThat(supervised.get().process.isAlive()).isTrue();
        }
        assertThat(started).hasSize(2).allMatch(server -> !server.process.isAlive() || server.closed.get());
    }

    @Test
    void closingDoesNotWaitForARestartInProgress() {
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch slow = new CountDownLatch(1);
        SupervisedServer<Server> supervised = SupervisedServer.start("cat", () -> {
            if (!started.isEmpty()) {
                starting.countDown();
                awaitUninterrupted(slow);
            }
            return start();
        });
        supervised.get().process.destroy();
        await().until(() -> starting.getCount() == 0);
        assertThat(CompletableFuture.runAsync(supervised::close)).succeedsWithin(20, SECONDS);
        slow.countDown();
        await().until(() -> started.size() == 2 && started.getLast().closed.get());
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
