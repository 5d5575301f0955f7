package dev.silkroute.app.embedded;

import dev.silkroute.app.config.Host;
import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;

/** TCP ports of this machine: whether one can be bound, and one that can. */
public final class Ports {
    public static final String LOOPBACK = "127.0.0.1";

    /** Below are the well-known ones, from the last on those that systems give to outgoing connections. */
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

    /** @throws OperatorError if nobody can listen at the port now, or at any for 0; it says why */
    public static void check(String host, int port) {
        var address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new OperatorError("'" + host + "' is not an address of this machine");
        }
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (IOException e) {
            throw new OperatorError(refusal(host, port, OperatorError.reason(e)), e);
        }
    }

    /**
     * A port that is free, and kept for a server that sets SO_REUSEADDR, as all do: for about a minute nobody else is given
     * it, neither by this method, in any process, nor by a system that is asked for any port.
     */
    public static int any(String host) {
        for (int tries = 1; ; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try {
                checkUnused(host, port);
                keep(host, port);
                return port;
            } catch (IOException e) {
                if (tries == TRIES) {
                    throw new OperatorError(
                            "cannot find a free port on " + Host.inUri(host) + ": " + OperatorError.reason(e), e);
                }
            }
        }
    }

    /** Without SO_REUSEADDR a port can't be bound that has a connection, if only one that is over (TIME_WAIT). */
    private static void checkUnused(String host, int port) throws IOException {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(false);
            socket.bind(new InetSocketAddress(host, port));
        }
    }

    /** Leaves a connection of the port in TIME_WAIT, which is where the end that is closed first goes. */
    private static void keep(String host, int port) throws IOException {
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

    private static String refusal(String host, int port, String reason) {
        return reason.contains("in use")
                ? "port " + port + " is in use"
                : "cannot listen on " + Host.inUri(host) + ":" + port + ": " + reason;
    }
}
