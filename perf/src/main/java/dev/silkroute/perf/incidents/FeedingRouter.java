package dev.silkroute.perf.incidents;

import dev.silkroute.fixture.TestMessages;
import dev.silkroute.net.ByteSink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HexFormat;
import java.util.List;

/**
 * A router with some of the vantage points as its peers. Messages are collected until they are flushed to its socket.
 * Not thread-safe.
 */
final class FeedingRouter implements AutoCloseable {
    private static final int BGP_HEADER = 19;
    private static final int FLUSH_BYTES = 1 << 16;
    private static final int BEGIN_SECONDS = 1_700_000_000;

    private final Socket socket;
    private final ByteSink out = new ByteSink();

    /** @param feeds the numbers of the vantage points */
    FeedingRouter(int port, String name, List<Integer> feeds) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        append(TestMessages.initiation(name));
        for (int feed : feeds) {
            int asn = Network.feedAsn(feed);
            byte[] open = TestMessages.open(asn, "4104" + HexFormat.of().toHexDigits(asn) + "010400010001");
            append(TestMessages.bmp(3, header(feed), TestMessages.local(), open, open));
        }
        flush();
    }

    private static byte[] header(int feed) {
        return TestMessages.peerHeader(
                0, 0, "192.0.2." + (11 + feed), Network.feedAsn(feed), 0x0A00_0001 + feed, BEGIN_SECONDS);
    }

    private void append(byte[] message) {
        out.bytes(message, 0, message.length);
    }

    /**
     * Announces a prefix.
     *
     * @param path the AS path after the peer's own AS
     * @param variant changes attributes that no rule is about
     * @param otc whether the route has the attribute Only to Customer
     */
    void announce(int feed, Prefix prefix, List<Integer> path, int variant, boolean otc) throws IOException {
        int at = begin(feed);
        out.u16(0);
        int attributes = out.position();
        out.u16(0);
        out.u8(0x40).u8(1).u8(1).u8(0);
        out.u8(0x40).u8(2).u8(2 + 4 * (path.size() + 1)).u8(2).u8(path.size() + 1);
        out.u32(Network.feedAsn(feed));
        path.forEach(out::u32);
        out.u8(0x40).u8(3).u8(4).u32(0xC000_0200 | 11 + feed);
        out.u8(0x80).u8(4).u8(4).u32(variant % 10);
        out.u8(0xC0).u8(8).u8(4).u16(Network.feedAsn(feed)).u16(variant / 10);
        if (otc) {
            out.u8(0xC0).u8(35).u8(4).u32(Network.OTHER_PROVIDER);
        }
        out.patchU16(attributes, out.position() - attributes - 2);
        prefix.write(out);
        end(at);
    }

    void withdraw(int feed, Prefix prefix) throws IOException {
        int at = begin(feed);
        int length = out.position();
        out.u16(0);
        prefix.write(out);
        out.patchU16(length, out.position() - length - 2);
        out.u16(0);
        end(at);
    }

    void endOfRib(int feed) throws IOException {
        int at = begin(feed);
        out.u16(0).u16(0);
        end(at);
    }

    /** Begins a Route Monitoring message with an UPDATE. */
    private int begin(int feed) {
        int at = out.position();
        out.u8(3).u32(0).u8(0);
        append(header(feed));
        out.i64(-1).i64(-1).u16(0).u8(2);
        return at;
    }

    private void end(int at) throws IOException {
        int update = at + 6 + 42;
        out.patchU32(at + 1, out.position() - at);
        out.patchU16(update + BGP_HEADER - 3, out.position() - update);
        if (out.position() >= FLUSH_BYTES) {
            flush();
        }
    }

    void flush() throws IOException {
        socket.getOutputStream().write(out.array(), 0, out.position());
        out.reset();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
