package dev.silkroute.app.embedded;

import dev.silkroute.app.config.Host;
import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;

/** Checks and reserves TCP ports of this machine. */
public final class Ports {
    public static final String LOOPBACK = "127.0.0.1";

    /** Ports are chosen above the well-known ones and below those that systems use for outgoing connections. */
    private static final int FIRST = 10_000;

    private static final int LAST = 32_000;
    private static final int TRIES = 100;

    private Ports() {}

    public static boolean isFree(String host, int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(host, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Checks that the port can be bound, or for port 0 that any can.
     *
     * @throws OperatorError with the reason if it cannot
     */
    public static void check(String host, int port) {
        var address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new OperatorError("'" + host + "' is not an address of this machine");
        }
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (IOException e) {
            throw new OperatorError(rejection(host, port, OperatorError.reason(e)), e);
        }
    }

    /**
     * Returns a free port and reserves it for about a minute for a server that sets SO_REUSEADDR, as all servers do.
     * Meanwhile neither this method, in any process, nor the operating system assigns it.
     */
    public static int reserve(String host) {
        for (int tries = 1; ; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try {
                checkUnused(host, port);
                reserve(host, port);
                return port;
            } catch (IOException e) {
                if (tries == TRIES) {
                    throw new OperatorError(
                            "cannot find a free port on " + Host.inUri(host) + ": " + OperatorError.reason(e), e);
                }
            }
        }
    }

    /** Binds the port without SO_REUSEADDR, which fails while it has any connection, even one in TIME_WAIT. */
    private static void checkUnused(String host, int port) throws IOException {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(false);
            socket.bind(new InetSocketAddress(host, port));
        }
    }

    /** Leaves a connection of the port in TIME_WAIT, the state of the end that is closed first. */
    private static void reserve(String host, int port) throws IOException {
        try (var listener = new ServerSocket()) {
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(host, port), 1);
            var address = listener.getInetAddress();
            try (var client =
                    new Socket(address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address, port)) {
                listener.accept().close();
                client.getInputStream().read();
            }
        }
    }

    private static String rejection(String host, int port, String reason) {
        return reason.contains("in use")
                ? "port " + port + " is in use"
                : "cannot listen on " + Host.inUri(host) + ":" + port + ": " + reason;
    }
}
