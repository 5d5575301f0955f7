package dev.silkroute.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.net.ByteSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** BMP and BGP messages byte by byte, without the encoders of the product, so that they can be wrong as tests need it. */
public final class Messages {
    private static final HexFormat HEX = HexFormat.of();

    private Messages() {}

    public static byte[] bmp(int type, byte[]... body) {
        byte[] content = join(body);
        ByteSink out = new ByteSink();
        out.u8(3)
                .u32(BmpMessages.COMMON_HEADER_LENGTH + content.length)
                .u8(type)
                .bytes(content, 0, content.length);
        return out.toByteArray();
    }

    /** The same message with another length field. */
    public static byte[] lie(byte[] message, int length) {
        byte[] lie = message.clone();
        for (int i = 0; i < 4; i++) {
            lie[1 + i] = (byte) (length >>> 24 - 8 * i);
        }
        return lie;
    }

    public static byte[] initiation(String name) {
        byte[] text = name.getBytes(UTF_8);
        return bmp(4, HEX.parseHex("00010004"), "test".getBytes(UTF_8), tlv(2, text));
    }

    public static byte[] tlv(int type, byte[] value) {
        return new ByteSink()
                .u16(type)
                .u16(value.length)
                .bytes(value, 0, value.length)
                .toByteArray();
    }

    public static byte[] peerHeader(int type, int flags, String address, int asn, int bgpId, long time) {
        ByteSink out = new ByteSink();
        out.u8(type).u8(flags).i64(0).i64(0).u32(0).bytes(ip(address), 0, 4);
        return out.u32(asn).u32(bgpId).u32((int) time).u32(0).toByteArray();
    }

    public static byte[] peerHeader() {
        return peerHeader("192.0.2.77");
    }

    public static byte[] peerHeader(String address) {
        return peerHeader(0, 0, address, 65_001, 0x0A00_004D, 1_700_000_000);
    }

    public static byte[] ip(String address) {
        ByteSink out = new ByteSink();
        for (String part : address.split("\\.")) {
            out.u8(Integer.parseInt(part));
        }
        return out.toByteArray();
    }

    public static byte[] peerUp(String address) {
        return bmp(3, peerHeader(address), local(), open(), open());
    }

    public static byte[] local() {
        return new ByteSink()
                .i64(0)
                .u32(0)
                .bytes(ip("192.0.2.1"), 0, 4)
                .u16(179)
                .u16(40_000)
                .toByteArray();
    }

    /** An OPEN of AS 65001 with four-octet AS numbers and six families. */
    public static byte[] open() {
        return open(
                65_001,
                "41040000fde9" + "010400010001" + "010400020001" + "010400010080" + "010400190046" + "010400010085"
                        + "010440040047");
    }

    /** @param asn two octets of it */
    public static byte[] open(int asn, String capabilitiesHex) {
        byte[] capabilities = HEX.parseHex(capabilitiesHex);
        ByteSink body = new ByteSink();
        body.u8(4).u16(asn).u16(180).u32(0x0A00_004D).u8(capabilities.length + 2);
        body.u8(2).u8(capabilities.length).bytes(capabilities, 0, capabilities.length);
        return bgp(1, body.toByteArray());
    }

    public static byte[] bgp(int type, byte[] body) {
        ByteSink out = new ByteSink();
        out.i64(-1).i64(-1).u16(19 + body.length).u8(type).bytes(body, 0, body.length);
        return out.toByteArray();
    }

    public static byte[] update(byte[] withdrawn, byte[] attributes, byte[] nlri) {
        ByteSink out = new ByteSink();
        out.u16(withdrawn.length).bytes(withdrawn, 0, withdrawn.length);
        out.u16(attributes.length).bytes(attributes, 0, attributes.length).bytes(nlri, 0, nlri.length);
        return bgp(2, out.toByteArray());
    }

    public static byte[] attribute(int flags, int type, byte[] value) {
        ByteSink out = new ByteSink();
        out.u8(flags | 0x10).u8(type).u16(value.length).bytes(value, 0, value.length);
        return out.toByteArray();
    }

    /** ORIGIN, AS_PATH and NEXT_HOP, but for the types left out. */
    public static byte[] attributes(Integer... without) {
        List<Integer> left = Arrays.asList(without);
        List<byte[]> all = new ArrayList<>();
        all.add(left.contains(1) ? new byte[0] : HEX.parseHex("40010100"));
        all.add(left.contains(2) ? new byte[0] : HEX.parseHex("40020602010000fde9"));
        all.add(left.contains(3) ? new byte[0] : HEX.parseHex("400304c000024d"));
        return join(all.toArray(byte[][]::new));
    }

    public static byte[] monitoring(byte[] bgp) {
        return bmp(0, peerHeader(), bgp);
    }

    /** 198.51.N.0/24. */
    public static byte[] route(int n) {
        return monitoring(update(new byte[0], attributes(), new byte[] {24, (byte) 198, 51, (byte) n}));
    }

    public static byte[] hex(String hex) {
        return HEX.parseHex(hex);
    }

    public static byte[] join(byte[]... parts) {
        ByteSink out = new ByteSink();
        for (byte[] part : parts) {
            out.bytes(part, 0, part.length);
        }
        return out.toByteArray();
    }
}
