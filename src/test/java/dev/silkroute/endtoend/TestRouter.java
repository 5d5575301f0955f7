package dev.silkroute.endtoend;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A router as a station sees it: a connection that sends bytes, in pieces of a chosen size, and stays open until closed. */
final class TestRouter implements AutoCloseable {
    private final Socket socket;
    private final OutputStream out;

    private TestRouter(Socket socket) throws IOException {
        this.socket = socket;
        out = socket.getOutputStream();
    }

    static TestRouter connect(int port) throws IOException {
        return connect(port, "127.0.0.1");
    }

    /** @param from the source address, one of 127.0.0.0/8 */
    static TestRouter connect(int port, String from) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.ofLiteral(from), 0);
        socket.setTcpNoDelay(true);
        return new TestRouter(socket);
    }

    /** @param bytes what the kernel may keep of what was sent, about: the rest waits in {@link #send} */
    static TestRouter connectWithBuffer(int port, int bytes) throws IOException {
        Socket socket = new Socket();
        socket.setSendBufferSize(bytes);
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new TestRouter(socket);
    }

    void send(byte[] stream, int from, int to, int piece) throws IOException {
        for (int at = from; at < to; at += piece) {
            out.write(stream, at, Math.min(piece, to - at));
        }
    }

    void send(byte[] stream) throws IOException {
        send(stream, 0, stream.length, 65_536);
    }

    /** Whether the station has closed the connection; it never sends anything. */
    boolean closedByStation() throws IOException {
        socket.setSoTimeout(1);
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (java.net.SocketException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
