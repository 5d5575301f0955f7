package dev.silkroute.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.endtoend.BadStream.Expect;
import dev.silkroute.net.ByteSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Malformed streams, the same ones for the same seed. Each has an Initiation, a Peer Up and a route before its damage, and two routes
 * behind it, where it makes sense; kinds of damage take turns, and chance fills in the numbers.
 */
final class BadStreams {
    /** The route of the damaged message. */
    static final String DAMAGED = "203.0.113.0/24";

    static final String BEFORE = "198.51.1.0/24";

    /** The last route of a stream that goes on. */
    static final String LAST = "198.51.3.0/24";

    private static final HexFormat HEX = HexFormat.of();
    private static final byte[] DAMAGED_NLRI = HEX.parseHex("18cb0071");
    private static final int GOOD = 3;
    private static final int AFTER = 2;

    private final String prefix;
    private final Random random;
    private final List<byte[]> captured;
    private final List<BadStream> streams = new ArrayList<>();
    private String router = "";

    private BadStreams(int seed, List<byte[]> captured) {
        prefix = "bad" + seed + "-";
        random = new Random(seed);
        this.captured = captured;
    }

    /** @param capture a session of a real router, whose messages are damaged too */
    static List<BadStream> of(int seed, int count, byte[] capture) {
        List<byte[]> messages = new ArrayList<>();
        for (int at = 0; at < capture.length; at += BmpMessages.length(capture, at)) {
            messages.add(Arrays.copyOfRange(capture, at, at + BmpMessages.length(capture, at)));
        }
        BadStreams all = new BadStreams(seed, messages);
        List<Runnable> kinds = all.kinds();
        for (int i = 0; all.streams.size() < count; i++) {
            all.router = all.prefix + "%04d".formatted(all.streams.size());
            kinds.get(i % kinds.size()).run();
        }
        return all.streams;
    }

    private List<Runnable> kinds() {
        List<Runnable> kinds = new ArrayList<>();
        kinds.addAll(BadFraming.kinds(this));
        kinds.addAll(BadUpdates.kinds(this));
        kinds.addAll(BadBodies.kinds(this));
        kinds.addAll(Mutations.kinds(this));
        return kinds;
    }

    Random random() {
        return random;
    }

    List<byte[]> captured() {
        return captured;
    }

    <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    int oneOf(int... values) {
        return values[random.nextInt(values.length)];
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A message between good ones, with a length that is its own. */
    void message(String damage, byte[] message, Expect expect) {
        add(damage, join(before(), message, after()), GOOD, GOOD + 1 + AFTER, expect);
    }

    /** Bytes behind good messages; what becomes of them and of the good ones behind them is open. */
    void bytes(String damage, byte[] bytes, Expect expect) {
        add(damage, join(before(), bytes, after()), GOOD, -1, expect);
    }

    /** Bytes behind good messages, and nothing after them. */
    void end(String damage, byte[] bytes, Expect expect) {
        add(damage, join(before(), bytes), GOOD, -1, expect);
    }

    /** Bytes without anything good before them. */
    void start(String damage, byte[] bytes, Expect expect) {
        streams.add(new BadStream("", damage, bytes, 0, -1, expect, false));
    }

    void add(String damage, byte[] stream, int good, int messages, Expect expect) {
        streams.add(new BadStream(router, damage, stream, good, messages, expect, false));
    }

    void slow(String damage) {
        byte[] stream = join(before(), after());
        streams.add(new BadStream(router, damage, stream, GOOD + AFTER, GOOD + AFTER, Expect.ACCEPT, true));
    }

    byte[] before() {
        return join(initiation(router), peerUp("192.0.2.77"), route(1));
    }

    static byte[] after() {
        return join(route(2), route(3));
    }

    // Messages
    // ------------------------------------------------------------------------------------------------------------

    static byte[] bmp(int type, byte[]... body) {
        byte[] content = join(body);
        ByteSink out = new ByteSink();
        out.u8(3)
                .u32(BmpMessages.COMMON_HEADER_LENGTH + content.length)
                .u8(type)
                .bytes(content, 0, content.length);
        return out.toByteArray();
    }

    /** The same message with another length field. */
    static byte[] lie(byte[] message, int length) {
        byte[] lie = message.clone();
        for (int i = 0; i < 4; i++) {
            lie[1 + i] = (byte) (length >>> 24 - 8 * i);
        }
        return lie;
    }

    static byte[] initiation(String name) {
        byte[] text = name.getBytes(UTF_8);
        return bmp(4, HEX.parseHex("00010004"), "test".getBytes(UTF_8), tlv(2, text));
    }

    static byte[] tlv(int type, byte[] value) {
        return new ByteSink()
                .u16(type)
                .u16(value.length)
                .bytes(value, 0, value.length)
                .toByteArray();
    }

    static byte[] peerHeader(int type, int flags, String address, int asn, int bgpId, long time) {
        ByteSink out = new ByteSink();
        out.u8(type).u8(flags).i64(0).i64(0).u32(0).bytes(ip(address), 0, 4);
        return out.u32(asn).u32(bgpId).u32((int) time).u32(0).toByteArray();
    }

    static byte[] peerHeader() {
        return peerHeader("192.0.2.77");
    }

    static byte[] peerHeader(String address) {
        return peerHeader(0, 0, address, 65_001, 0x0A00_004D, 1_700_000_000);
    }

    static byte[] ip(String address) {
        ByteSink out = new ByteSink();
        for (String part : address.split("\\.")) {
            out.u8(Integer.parseInt(part));
        }
        return out.toByteArray();
    }

    static byte[] peerUp(String address) {
        return bmp(3, peerHeader(address), local(), open(), open());
    }

    static byte[] local() {
        return new ByteSink()
                .i64(0)
                .u32(0)
                .bytes(ip("192.0.2.1"), 0, 4)
                .u16(179)
                .u16(40_000)
                .toByteArray();
    }

    /** An OPEN of AS 65001 with four-octet AS numbers and five families. */
    static byte[] open() {
        byte[] capabilities = HEX.parseHex("41040000fde9" + "010400010001" + "010400020001" + "010400010080"
                + "010400190046" + "010400010085" + "010440040047");
        ByteSink body = new ByteSink();
        body.u8(4).u16(65_001).u16(180).u32(0x0A00_004D).u8(capabilities.length + 2);
        body.u8(2).u8(capabilities.length).bytes(capabilities, 0, capabilities.length);
        return bgp(1, body.toByteArray());
    }

    static byte[] bgp(int type, byte[] body) {
        ByteSink out = new ByteSink();
        out.i64(-1).i64(-1).u16(19 + body.length).u8(type).bytes(body, 0, body.length);
        return out.toByteArray();
    }

    static byte[] update(byte[] withdrawn, byte[] attributes, byte[] nlri) {
        ByteSink out = new ByteSink();
        out.u16(withdrawn.length).bytes(withdrawn, 0, withdrawn.length);
        out.u16(attributes.length).bytes(attributes, 0, attributes.length).bytes(nlri, 0, nlri.length);
        return bgp(2, out.toByteArray());
    }

    static byte[] attribute(int flags, int type, byte[] value) {
        ByteSink out = new ByteSink();
        out.u8(flags | 0x10).u8(type).u16(value.length).bytes(value, 0, value.length);
        return out.toByteArray();
    }

    /** ORIGIN, AS_PATH and NEXT_HOP, but for the types left out. */
    static byte[] attributes(Integer... without) {
        List<Integer> left = Arrays.asList(without);
        List<byte[]> all = new ArrayList<>();
        Supplier<byte[]> none = () -> new byte[0];
        all.add(left.contains(1) ? none.get() : HEX.parseHex("40010100"));
        all.add(left.contains(2) ? none.get() : HEX.parseHex("40020602010000fde9"));
        all.add(left.contains(3) ? none.get() : HEX.parseHex("400304c000024d"));
        return join(all.toArray(byte[][]::new));
    }

    static byte[] damagedNlri() {
        return DAMAGED_NLRI.clone();
    }

    static byte[] monitoring(byte[] bgp) {
        return bmp(0, peerHeader(), bgp);
    }

    /** 198.51.N.0/24. */
    static byte[] route(int n) {
        return monitoring(update(new byte[0], attributes(), new byte[] {24, (byte) 198, 51, (byte) n}));
    }

    static byte[] hex(String hex) {
        return HEX.parseHex(hex);
    }

    static byte[] join(byte[]... parts) {
        ByteSink out = new ByteSink();
        for (byte[] part : parts) {
            out.bytes(part, 0, part.length);
        }
        return out.toByteArray();
    }
}
