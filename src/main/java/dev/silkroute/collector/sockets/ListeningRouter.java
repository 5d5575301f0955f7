package dev.silkroute.collector.sockets;

import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A router that listens for the station (RFC 7854, section 3.2). Keeps a connection to it open while there is a
 * listener: connects, and connects again with growing delays when an attempt fails or the connection is closed. Each
 * router has a thread of its own, so that one that does not respond delays no other.
 */
public final class ListeningRouter implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(ListeningRouter.class);

    private final BmpAcceptor acceptor;
    private final BmpConnector connector;
    private final int listenerPort;
    private final String host;
    private final int port;
    private final Settings settings;
    private final BackOff delays;
    private final LongAdder established = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Thread thread;
    private volatile boolean connected;
    /** The reason for the last failure; null if the last attempt has succeeded. */
    private @Nullable String failure;

    /**
     * The times of the attempts to connect.
     *
     * @param delay the longest delay after the first failure
     * @param maxDelay the longest delay; a connection that was open for so long counts as a success, after which the
     *     delays begin again
     */
    public record Settings(Duration delay, Duration maxDelay) {
        public Settings {
            if (delay.compareTo(maxDelay) > 0) {
                throw new IllegalArgumentException("the first delay " + delay + " is longer than " + maxDelay);
            }
        }
    }

    /**
     * @param listenerPort the port of the listener whose connections the connection to the router is one of
     * @param host name or address of the router; a name is resolved for each attempt
     */
    public ListeningRouter(
            BmpAcceptor acceptor, BmpConnector connector, int listenerPort, String host, int port, Settings settings) {
        this.acceptor = acceptor;
        this.connector = connector;
        this.listenerPort = listenerPort;
        this.host = host;
        this.port = port;
        this.settings = settings;
        delays = new BackOff(settings.delay(), settings.maxDelay(), RandomGenerator.getDefault());
        thread = Thread.ofVirtual().name("bmp-connect-" + address()).unstarted(this::run);
    }

    /** Returns the router's address as configured, {@code host:port}. */
    public String address() {
        return host + ":" + port;
    }

    /** Returns whether the connection is open. */
    public boolean isConnected() {
        return connected;
    }

    /** Returns how many connections have been established. */
    public long established() {
        return established.sum();
    }

    /** Returns how many attempts have failed. */
    public long failed() {
        return failed.sum();
    }

    /** Begins to connect. */
    public void start() {
        thread.start();
    }

    /** Ends the attempts. A connection that is open remains, until its listener is closed. */
    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                Channel listener = acceptor.awaitListener(listenerPort);
                if (!connect(listener)) {
                    Thread.sleep(delays.next());
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /**
     * Connects once and waits for the end of the connection.
     *
     * @return whether the next attempt may follow at once, because the listener was closed and with it the connection
     */
    private boolean connect(Channel listener) throws InterruptedException {
        try {
            Channel connection = connector.connect(listener, resolve());
            established.increment();
            failure = null;
            connected = true;
            LOGGER.info("BMP connection to {} is established", address());
            awaitEnd(connection);
        } catch (IOException | RuntimeException e) { // of any kind, because an exception would end the attempts
            if (listener.isOpen()) {
                failed(e);
            }
        } finally {
            connected = false;
        }
        return !listener.isOpen();
    }

    private InetSocketAddress resolve() throws IOException {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new IOException("unknown host " + host, e);
        }
    }

    private void awaitEnd(Channel connection) throws InterruptedException {
        long begin = System.nanoTime();
        connection.closeFuture().await();
        Duration open = Duration.ofNanos(System.nanoTime() - begin);
        if (open.compareTo(settings.maxDelay()) >= 0) {
            delays.reset();
        }
        LOGGER.info("BMP connection to {} is closed after {} s", address(), open.toSeconds());
    }

    /** Counts a failed attempt, and logs it unless the one before failed for the same reason. */
    private void failed(Exception why) {
        failed.increment();
        String reason = why.getMessage() == null ? why.toString() : why.getMessage();
        if (!reason.equals(failure)) {
            failure = reason;
            LOGGER.warn(
                    "BMP connection to {} failed: {}. It is tried again, at least every {} s; only another failure is"
                            + " logged again",
                    address(),
                    reason,
                    settings.maxDelay().toSeconds());
        }
    }
}
