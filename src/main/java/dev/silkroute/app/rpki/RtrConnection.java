package dev.silkroute.app.rpki;

import dev.silkroute.app.config.Host;
import dev.silkroute.app.config.HostPort;
import dev.silkroute.rpki.rtr.CacheData;
import dev.silkroute.rpki.rtr.CacheErrorException;
import dev.silkroute.rpki.rtr.RtrException;
import dev.silkroute.rpki.rtr.Synchronization;
import dev.silkroute.rpki.rtr.VersionException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A TCP connection to an RTR cache, for one thread; any thread may {@link #close} it, which ends a blocked read. */
final class RtrConnection implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final Duration responseTimeout;
    private final Socket socket = new Socket();

    RtrConnection(Duration responseTimeout) {
        this.responseTimeout = responseTimeout;
    }

    /** The open connection. */
    final class Open {
        private final DeadlineInput in;
        private final Synchronization synchronization;

        private Open(int version, LongAdder routerKeys) throws IOException {
            in = new DeadlineInput(socket);
            synchronization = new Synchronization(in, socket.getOutputStream(), version, routerKeys);
        }

        /** Queries all data, or the changes since the previous ones. */
        CacheData query(@Nullable CacheData previous)
                throws IOException, RtrException, CacheErrorException, VersionException {
            in.setDeadline(responseTimeout);
            try {
                return synchronization.query(previous);
            } catch (SocketTimeoutException e) {
                throw new IOException(
                        "no complete response within silkroute.rpki.rtr.response-timeout, " + responseTimeout.toMillis()
                                + " ms",
                        e);
            }
        }

        /** Waits until the refresh interval has passed or the cache sends a notification of newer data. */
        void awaitNews(CacheData data) throws IOException, RtrException, CacheErrorException, VersionException {
            long due = System.nanoTime() + data.intervals().refresh().toNanos();
            while (true) {
                in.setDeadline(Duration.ofNanos(due - System.nanoTime()));
                if (!in.awaitInput()) {
                    return;
                }
                in.setDeadline(responseTimeout);
                if (synchronization.isNotified(data)) {
                    return;
                }
            }
        }
    }

    /**
     * Connects.
     *
     * @param version of the first query
     */
    Open open(HostPort address, int version, LongAdder routerKeys) throws IOException {
        InetSocketAddress target = new InetSocketAddress(Host.bare(address.host()), address.port());
        if (target.isUnresolved()) {
            throw new UnknownHostException("the host name " + address.host() + " cannot be resolved");
        }
        socket.connect(target, (int) Math.min(responseTimeout.toMillis(), CONNECT_TIMEOUT.toMillis()));
        socket.setKeepAlive(true);
        socket.setTcpNoDelay(true);
        return new Open(version, routerKeys);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // There is nothing left to close.
        }
    }
}
