package dev.silkroute.perf.forget;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/** A blocking socket behind a buffer of 64 KiB. */
final class SocketSender implements Sender {
    private final Socket socket;
    private final OutputStream out;

    SocketSender(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        out = new BufferedOutputStream(socket.getOutputStream(), 64 * 1024);
    }

    @Override
    public void send(byte[][] messages) throws IOException {
        for (byte[] message : messages) {
            out.write(message);
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
