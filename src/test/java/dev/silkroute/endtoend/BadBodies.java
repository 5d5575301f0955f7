package dev.silkroute.endtoend;

import static dev.silkroute.fixture.TestMessages.bgp;
import static dev.silkroute.fixture.TestMessages.bmp;
import static dev.silkroute.fixture.TestMessages.hex;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.local;
import static dev.silkroute.fixture.TestMessages.open;
import static dev.silkroute.fixture.TestMessages.peerHeader;

import dev.silkroute.endtoend.BadStream.Expect;
import dev.silkroute.fixture.TestMessages;
import java.util.Arrays;
import java.util.List;

/** Messages of correct length with invalid content: headers, Peer Up and Down, statistics, mirroring, TLVs. */
final class BadBodies {
    private static final byte[] NONE = {};

    /** Returns an OPEN up to the length of its optional parameters. */
    private static final String OPEN = "04fde900b40a000001";

    private BadBodies() {}

    static List<Runnable> kinds(BadStreams s) {
        return List.of(
                () -> small(s),
                () -> s.message("header alone, type " + 3, bmp(3, peerHeader()), Expect.QUARANTINE),
                () -> s.message("header alone", bmp(s.oneOf(1, 2), peerHeader()), Expect.QUARANTINE),
                () -> s.message("peer type or flags", oddPeer(s), Expect.GO_ON),
                () -> s.message("Peer Up: " + "OPENs", peerUp(s.oneOf(badOpens())), Expect.QUARANTINE),
                () -> s.message("Peer Up: odd", peerUp(s.oneOf(oddOpens())), Expect.ACCEPT),
                () -> s.message("Peer Down", bmp(2, peerHeader(), s.oneOf(downs())), Expect.ACCEPT),
                () -> s.message("Peer Down of nobody", bmp(2, peerHeader("192.0.2.99"), hex("04")), Expect.ACCEPT),
                () -> s.message("statistics", bmp(1, peerHeader(), hex(s.oneOf(BAD_STATISTICS))), Expect.QUARANTINE),
                () -> s.message("odd statistics", bmp(1, peerHeader(), hex(s.oneOf(ODD_STATISTICS))), Expect.ACCEPT),
                () -> s.message(
                        "mirroring",
                        bmp(6, peerHeader(), hex(s.oneOf(List.of("0000ffff" + "78".repeat(10), "00", "000000")))),
                        Expect.QUARANTINE),
                () -> s.message(
                        "odd mirroring",
                        bmp(
                                6,
                                peerHeader(),
                                hex(s.oneOf(List.of(
                                        "",
                                        "006300026162",
                                        "000100020063",
                                        "00000010" + "00".repeat(16),
                                        "00000000",
                                        "0001000100")))),
                        Expect.ACCEPT),
                () -> s.message(
                        "TLV overruns", bmp(4, hex(s.oneOf(List.of("0002ffff78", "000200", "00")))), Expect.QUARANTINE),
                () -> s.message("odd TLVs", bmp(4, hex(s.oneOf(ODD_TLVS))), Expect.ACCEPT),
                () -> s.termination(bmp(5, hex(s.oneOf(TERMINATIONS)))),
                () -> s.message("second Peer Up", TestMessages.peerUp("192.0.2.77"), Expect.ACCEPT));
    }

    private static final List<String> TERMINATIONS =
            List.of("", "000100020063", "0001000100", "000100020000", "0002ffff78", "000200", "00");

    private static final List<String> BAD_STATISTICS = List.of(
            "ffffffff",
            "00000001",
            "000000010000ffff00",
            "003d0900" + "000000040000000".concat("1").repeat(10),
            "0000");

    private static final List<String> ODD_STATISTICS = List.of(
            "00000001" + "00000003" + "000001",
            "00000001" + "00070004" + "00000001",
            "00000001" + "0009000a" + "00".repeat(10),
            "00000001" + "fffe0004" + "00000001",
            "00000001" + "0000000400000001".repeat(2),
            "00000001" + "00070008" + "ff".repeat(8),
            "00000000");

    private static final List<String> ODD_TLVS = List.of(
            "00010004fffe0001",
            "00010003610062",
            "0001000000010000",
            "0000000178".repeat(1000),
            "0001000a" + "610a6c6576656c3d310d",
            "00010005" + "61e280ae62",
            "",
            "0001fff0" + "6e".repeat(0xFFF0),
            "0000ffff" + "00".repeat(0xFFFF));

    private static void small(BadStreams s) {
        int type = s.random().nextInt(4);
        byte[] whole = type == 0 ? TestMessages.route(9) : bmp(type, peerHeader());
        int length = 6 + s.random().nextInt(42);
        s.message(
                "type " + type + " of " + length + " bytes",
                TestMessages.lie(Arrays.copyOf(whole, length), length),
                Expect.QUARANTINE);
    }

    private static byte[] oddPeer(BadStreams s) {
        byte[] message = TestMessages.route(9);
        switch (s.random().nextInt(5)) {
            case 0 -> message[6] = (byte) s.oneOf(1, 2, 3, 4, 255);
            case 1 -> message[7] = (byte) s.random().nextInt(256);
            case 2 -> Arrays.fill(message, 32, 36, (byte) 0);
            case 3 -> Arrays.fill(message, 40, 48, (byte) 255);
            default -> Arrays.fill(message, 36, 40, (byte) 0);
        }
        return message;
    }

    private static byte[] peerUp(byte[] rest) {
        return bmp(3, peerHeader("192.0.2.78"), local(), rest);
    }

    private static List<byte[]> badOpens() {
        byte[] marker = open();
        marker[3] = 0;
        byte[] none = open();
        Arrays.fill(none, 16, 18, (byte) 0);
        byte[] longest = open();
        Arrays.fill(longest, 16, 18, (byte) 255);
        byte[] overrun = open();
        overrun[28] = (byte) 254;
        byte[] parameter = open();
        parameter[30] = (byte) 255;
        return List.of(
                NONE,
                open(),
                join(marker, open()),
                join(none, open()),
                join(longest, open()),
                join(TestMessages.update(NONE, NONE, NONE), open()),
                join(overrun, open()),
                join(parameter, open()),
                join(open(), open(), hex("0000ffff78")),
                join(open(), open(), hex("0000")));
    }

    /** A malformed capability is ignored; the other capabilities still apply. */
    private static List<byte[]> oddOpens() {
        byte[] capability = open();
        capability[32] = (byte) 255;
        return List.of(
                join(capability, open()),
                join(bgp(1, hex(OPEN + "05" + "0203" + "410101")), open()),
                join(bgp(1, hex(OPEN + "07" + "0205" + "4503000101")), open()),
                join(bgp(1, hex("04fde900010a00000100")), open()),
                join(bgp(1, hex(OPEN + "ffff0009" + "020006" + "010400010001")), open()),
                join(bgp(1, hex(OPEN + "f0" + "02ee" + "3700".repeat(119))), open()));
    }

    private static List<byte[]> downs() {
        byte[] notification = bgp(3, hex("0602"));
        return List.of(
                hex("00"),
                hex("63"),
                hex("01"),
                join(hex("01"), Arrays.copyOf(notification, 20)),
                hex("02"),
                join(hex("03"), TestMessages.update(NONE, NONE, NONE)),
                hex("0600"),
                hex("046a756e6b"),
                join(hex("01"), bgp(3, hex("0602c8616263"))),
                join(hex("01"), bgp(3, hex("060203fffefd"))));
    }
}
