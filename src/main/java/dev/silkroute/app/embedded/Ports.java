package dev.silkroute.app.embedded;

import dev.silkroute.app.config.Host;
import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
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

    /** The port itself, or any free one for 0: one that no outgoing connection takes before it is bound. */
    public static int claim(String host, int port) {
        for (int i = 0; port == 0 && i < TRIES; i++) {
            int any = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(host, any)) {
                return any;
            }
        }
        var address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new OperatorError("'" + host + "' is not an address of this machine");
        }
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new OperatorError(refusal(host, port, OperatorError.reason(e)), e);
        }
    }

    private static String refusal(String host, int port, String reason) {
        return reason.contains("in use")
                ? "port " + port + " is in use"
                : "cannot listen on " + Host.inUri(host) + ":" + port + ": " + reason;
    }
}
