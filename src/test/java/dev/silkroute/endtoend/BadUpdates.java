package dev.silkroute.endtoend;

import static dev.silkroute.endtoend.BadStreams.damagedNlri;
import static dev.silkroute.fixture.TestMessages.attribute;
import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.hex;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.update;

import dev.silkroute.endtoend.BadStream.Expect;
import dev.silkroute.net.BigEndian;
import java.util.ArrayList;
import java.util.List;

/** Route Monitoring messages with invalid UPDATEs, handled according to RFC 4271 and RFC 7606. */
final class BadUpdates {
    private static final byte[] NONE = {};
    private static final String V6_HOP = "20010db8000000000000000000000001";

    private BadUpdates() {}

    static List<Runnable> kinds(BadStreams s) {
        List<Runnable> kinds = new ArrayList<>(List.of(
                () -> header(s, "marker", 0, s.random().nextInt(16), s.random().nextInt(255)),
                () -> header(s, "type", 18, 18, s.oneOf(0, 1, 3, 4, 5, 255)),
                () -> length(s, s.oneOf(0, 1, 18, 19, 22)),
                () -> length(s, 48 + s.random().nextInt(65_000)),
                () -> message(
                        s,
                        "bytes behind it",
                        join(good(), s.bytes(1 + s.random().nextInt(9))),
                        Expect.ANNOUNCE),
                () -> message(s, "no UPDATE", NONE, Expect.QUARANTINE),
                () -> field(s, 19, s.oneOf(1 + good().length, 255, 65_535)),
                () -> field(s, 21, s.oneOf(good().length, 4_000, 65_535)),
                () -> message(
                        s,
                        "attribute cut",
                        update(NONE, join(attributes(), hex(s.oneOf(CUT))), damagedNlri()),
                        Expect.WITHDRAW),
                () -> extra(s, s.oneOf(WRONG_LENGTHS), Expect.WITHDRAW),
                () -> extra(s, s.oneOf(WRONG_LENGTHS), Expect.WITHDRAW),
                () -> extra(s, s.oneOf(DISCARDED), Expect.ANNOUNCE),
                () -> extra(s, s.oneOf(ODD), Expect.ANNOUNCE),
                () -> instead(s, 1, s.oneOf(List.of("400100", "40010109", "400102" + "0000", "c0010100"))),
                () -> instead(s, 2, s.oneOf(PATHS)),
                () -> instead(s, 3, s.oneOf(List.of("400300", "400303010101", "40030501010101ff", "c00304c000024d"))),
                () -> without(s, s.oneOf(1, 2)),
                () -> message(s, "no NEXT_HOP", update(NONE, attributes(3), damagedNlri()), Expect.ANNOUNCE),
                () -> message(s, "NLRI", update(NONE, attributes(), hex(s.oneOf(BAD_IPV4))), Expect.QUARANTINE),
                () -> message(s, "withdrawn routes", update(hex(s.oneOf(BAD_IPV4)), NONE, NONE), Expect.QUARANTINE),
                () -> message(
                        s,
                        "odd NLRI",
                        update(NONE, attributes(), join(damagedNlri(), hex(s.oneOf(ODD_IPV4)))),
                        Expect.ANNOUNCE),
                () -> reach(
                        s,
                        "next hop of " + V6_HOP.length() / 2 + " bytes and bad NLRI",
                        "000201" + "10" + V6_HOP + "00" + s.oneOf(BAD_IPV6),
                        Expect.QUARANTINE),
                () -> reach(
                        s,
                        "next hop",
                        "000201"
                                + s.oneOf(List.of(
                                        "00", "0120", "0c" + "20".repeat(12), "11" + "20".repeat(17), "ff" + V6_HOP))
                                + "00" + "20" + "20010db8",
                        Expect.QUARANTINE),
                () -> reach(
                        s,
                        "cut",
                        s.oneOf(List.of("", "00", "0002", "000201", "00020110", "0002011020010db8")),
                        Expect.QUARANTINE),
                () -> reach(
                        s,
                        "VPN",
                        "000180" + "0c" + "0".repeat(16) + "c000024d" + "00" + s.oneOf(BAD_VPN),
                        Expect.QUARANTINE),
                () -> reach(
                        s,
                        "EVPN",
                        "001946" + "04" + "c000024d" + "00" + s.oneOf(List.of("02", "02ff" + "00".repeat(40), "0205")),
                        Expect.QUARANTINE),
                () -> reach(
                        s,
                        "FlowSpec",
                        "000185" + "00" + "00" + s.oneOf(List.of("ef01", "ffff01", "f0", "050118")),
                        Expect.QUARANTINE),
                () -> reach(
                        s,
                        "BGP-LS",
                        "400447" + "04" + "c000024d" + "00" + s.oneOf(List.of("0001ffff" + "00".repeat(9), "000100")),
                        Expect.QUARANTINE),
                () -> reach(
                        s,
                        "unknown family",
                        s.oneOf(List.of("000001", "000301", "ffff01", "000163", "4004ff")) + "04" + "c000024d" + "00"
                                + "18c63364",
                        Expect.ACCEPT),
                () -> message(
                        s,
                        "MP_UNREACH",
                        update(
                                NONE,
                                attribute(
                                        0x80,
                                        15,
                                        hex(s.oneOf(List.of(
                                                "", "0002", "00020181" + "01".repeat(17), "0002014020" + "01")))),
                                NONE),
                        Expect.QUARANTINE),
                () -> message(
                        s,
                        "two MP_REACH",
                        update(NONE, join(attributes(), v6Reach(), v6Reach()), NONE),
                        Expect.QUARANTINE),
                () -> message(
                        s,
                        "all four fields",
                        update(
                                hex("18c63365"),
                                join(attributes(), v6Reach(), attribute(0x80, 15, hex("0002013020010db80006"))),
                                damagedNlri()),
                        Expect.ANNOUNCE)));
        return kinds;
    }

    /** Errors of RFC 7606, Section 7, and of the specifications of later attributes. */
    private static final List<String> WRONG_LENGTHS = List.of(
            "8004" + "03" + "010101",
            "8004" + "05" + "0101010101",
            "4005" + "00",
            "4005" + "08" + "01".repeat(8),
            "c008" + "03" + "010101",
            "c008" + "05" + "0101010101",
            "8009" + "03" + "010101",
            "800a" + "03" + "010101",
            "c010" + "07" + "01".repeat(7),
            "c010" + "09" + "01".repeat(9),
            "c020" + "0b" + "01".repeat(11),
            "c020" + "0d" + "01".repeat(13),
            "c023" + "03" + "010101",
            "c016" + "02" + "0101",
            "c008" + "00",
            "4008" + "04" + "fde80001");

    private static final List<String> DISCARDED = List.of(
            "4006" + "01" + "01",
            "c007" + "05" + "0101010101",
            "c007" + "09" + "01".repeat(9),
            "c011" + "03" + "010101",
            "c012" + "07" + "01".repeat(7),
            "801a" + "02" + "0101",
            "40010101");

    private static final List<String> ODD = List.of(
            "c0fb" + "08" + "00".repeat(8),
            "c0ff" + "01" + "78",
            "d008" + "0004" + "fde90001",
            "c008" + "fc" + "fde90001".repeat(63),
            "e008" + "04" + "fde90001");

    private static final List<String> CUT = List.of("c008ff0000", "d008ffff0000", "c0", "c008", "d00800");

    private static final List<String> PATHS = List.of(
            "40020600010000fde9",
            "40020609010000fde9",
            "40020602ff0000fde9",
            "4002020200",
            "40020502010000fd",
            "40020702010000fde902");

    private static final List<String> BAD_IPV4 =
            List.of("210102030405", "ff" + "01".repeat(32), "18c633", "20", "80" + "01".repeat(16));
    private static final List<String> ODD_IPV4 =
            List.of("09c6ff", "00", "20c6336401", "18e00001", "087f", "18cb0071", "180a0000180a0001180a0002");
    private static final List<String> BAD_IPV6 = List.of("81" + "01".repeat(17), "80" + "01".repeat(15), "4020");
    private static final List<String> BAD_VPN =
            List.of("100001", "30000010000010", "17001001", "ff001001" + "0a".repeat(38));

    private static byte[] good() {
        return update(NONE, attributes(), damagedNlri());
    }

    private static byte[] v6Reach() {
        return attribute(0x80, 14, hex("000201" + "10" + V6_HOP + "00" + "3020010db80005"));
    }

    private static void message(BadStreams s, String damage, byte[] bgp, Expect expect) {
        s.message(damage, monitoring(bgp), expect);
    }

    private static void header(BadStreams s, String what, int from, int at, int value) {
        byte[] bgp = good();
        bgp[at] = (byte) value;
        message(s, "BGP " + what + " " + value + " at " + (at - from), bgp, Expect.QUARANTINE);
    }

    private static void length(BadStreams s, int length) {
        byte[] bgp = good();
        BigEndian.putU16(bgp, 16, length);
        message(s, "BGP length " + length + " of " + bgp.length, bgp, Expect.QUARANTINE);
    }

    private static void field(BadStreams s, int at, int length) {
        byte[] bgp = good();
        BigEndian.putU16(bgp, at, length);
        message(s, "length " + length + " of the field at " + at, bgp, Expect.QUARANTINE);
    }

    private static void extra(BadStreams s, String attribute, Expect expect) {
        message(s, "attribute " + attribute, update(NONE, join(attributes(), hex(attribute)), damagedNlri()), expect);
    }

    private static void instead(BadStreams s, int type, String attribute) {
        message(
                s,
                "instead of " + type + ": " + attribute,
                update(NONE, join(attributes(type), hex(attribute)), damagedNlri()),
                Expect.WITHDRAW);
    }

    private static void without(BadStreams s, int type) {
        message(s, "no attribute " + type, update(NONE, attributes(type), damagedNlri()), Expect.WITHDRAW);
    }

    private static void reach(BadStreams s, String what, String value, Expect expect) {
        message(
                s,
                "MP_REACH: " + what + " " + value,
                update(NONE, join(attributes(3), attribute(0x80, 14, hex(value))), NONE),
                expect);
    }
}
