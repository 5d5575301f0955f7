package dev.silkroute.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.silkroute.endtoend.BadStream.Expect;
import dev.silkroute.fixture.TestMessages;
import java.util.Arrays;
import java.util.List;

/** Streams that lose BMP framing, never had it, or end within a message. */
final class BadFraming {
    private static final int MAX = 1 << 20;

    private BadFraming() {}

    static List<Runnable> kinds(BadStreams s) {
        return List.of(
                () -> version(s),
                () -> versionFour(s),
                () -> unknownType(s, 7 + s.random().nextInt(249), s.random().nextInt(2000)),
                () -> unknownType(s, 200, MAX - 6),
                () -> s.bytes(
                        "length below 6",
                        TestMessages.lie(TestMessages.route(9), s.random().nextInt(6)),
                        Expect.CLOSE),
                () -> s.bytes(
                        "length above the limit",
                        TestMessages.lie(
                                TestMessages.route(9),
                                s.oneOf(MAX + 1, 1 << 24, 1 << 30, Integer.MAX_VALUE, 1 << 31, -1)),
                        Expect.CLOSE),
                () -> s.start(
                        "length above the limit at once",
                        TestMessages.lie(TestMessages.initiation("x"), s.oneOf(MAX + 1, 1 << 31, -1)),
                        Expect.CLOSE),
                () -> s.start("no BMP: " + kind(s), other(s), Expect.CLOSE),
                () -> s.bytes("no BMP behind messages", other(s), Expect.CLOSE),
                () -> s.bytes(
                        "length too large by a little",
                        TestMessages.lie(TestMessages.route(9), 80 + s.random().nextInt(60)),
                        Expect.ANY),
                () -> truncated(s),
                () -> s.start("first message not whole", TestMessages.hex("0300000100"), Expect.WAIT),
                () -> s.slow("byte by byte"));
    }

    private static void version(BadStreams s) {
        byte[] message = TestMessages.route(9);
        message[0] = (byte) s.oneOf(0, 1, 2, 5, 6, 127, 128, 255);
        s.bytes("version " + (message[0] & 255), message, Expect.CLOSE);
    }

    /** A version 3 message marked as version 4, in which the UPDATE is not a TLV. */
    private static void versionFour(BadStreams s) {
        byte[] message = TestMessages.route(9);
        message[0] = 4;
        s.message("version 4 without TLVs", message, Expect.QUARANTINE);
    }

    private static void unknownType(BadStreams s, int type, int length) {
        s.message("type " + type + " of " + length + " bytes", TestMessages.bmp(type, s.bytes(length)), Expect.SKIP);
    }

    private static void truncated(BadStreams s) {
        byte[] message = s.oneOf(
                List.of(TestMessages.route(9), TestMessages.peerUp("192.0.2.78"), TestMessages.initiation("y")));
        int length = 1 + s.random().nextInt(message.length - 1);
        s.end("message of " + message.length + " cut to " + length, Arrays.copyOf(message, length), Expect.WAIT);
    }

    private static String kind(BadStreams s) {
        return "protocol " + s.random().nextInt(100);
    }

    private static byte[] other(BadStreams s) {
        byte[] random = s.bytes(1 + s.random().nextInt(5000));
        random[0] = (byte) s.oneOf(0, 1, 2, 5, 9, 22, 71, 255);
        return s.oneOf(List.of(
                "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII),
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII),
                "SSH-2.0-OpenSSH_9.6\r\n".getBytes(US_ASCII),
                "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n".getBytes(US_ASCII),
                TestMessages.hex("16030100c8010000c40303"),
                TestMessages.open(),
                new byte[4096],
                "\n".repeat(3000).getBytes(US_ASCII),
                random));
    }
}
