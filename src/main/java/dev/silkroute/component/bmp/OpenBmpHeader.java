package dev.silkroute.component.bmp;

import dev.silkroute.net.ByteSink;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The header before each BMP message on {@code openbmp.bmp_raw}: OpenBMP's binary header, version 1.7, big-endian:
 *
 * <pre>
 *  0  u32 magic "OBMP"
 *  4  u8  major version = 1 | u8 minor version = 7
 *  6  u16 length of this header
 *  8  u32 length of the BMP message
 * 12  u8  flags: 0x80 sent by a router, 0x40 the address is IPv6
 * 13  u8  type = 12, raw BMP
 * 14  u32 seconds | u32 microseconds, when the collector received it
 * 22  16  hash of the collector: MD5 of its name
 * 38  u16 length, then the collector's name ("admin id")
 *     16  hash of the router: MD5 of its identity
 *     16  address of the router, IPv4 in the first four bytes
 *     u16 length, then the router's group: its identity
 *     u32 number of messages = 1
 * </pre>
 */
final class OpenBmpHeader {
    private static final int MAGIC = 0x4F424D50;
    private static final int FIXED_LENGTH = 78;
    private static final int RAW_BMP = 12;
    private static final int FLAG_ROUTER = 0x80;
    private static final int FLAG_IPV6 = 0x40;

    /** Maximum length of a name in bytes; consumers do not accept longer ones. */
    private static final int MAX_NAME = 255;

    private final byte[] collector;
    private final byte[] router;
    private final InetAddress address;
    private final byte[] collectorHash;
    private final byte[] routerHash;

    OpenBmpHeader(String collector, String router, InetAddress address) {
        this.collector = name(collector);
        this.router = name(router);
        this.address = address;
        collectorHash = md5(collector);
        routerHash = md5(router);
    }

    private static byte[] name(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(utf8, Math.min(utf8.length, MAX_NAME));
    }

    /** An identifier that distinguishes collectors and routers for consumers; it protects nothing. */
    private static byte[] md5(String text) {
        try {
            return MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }

    /** Returns one BMP message with the header before it. */
    byte[] before(byte[] bytes, int from, int to, long receivedMicros) {
        int header = FIXED_LENGTH + collector.length + router.length;
        ByteSink sink = new ByteSink(header + to - from);
        boolean ipv6 = address instanceof Inet6Address;
        byte[] raw = address.getAddress();
        sink.u32(MAGIC).u8(1).u8(7).u16(header).u32(to - from);
        sink.u8(FLAG_ROUTER | (ipv6 ? FLAG_IPV6 : 0)).u8(RAW_BMP);
        sink.u32((int) Math.floorDiv(receivedMicros, 1_000_000L)).u32((int) Math.floorMod(receivedMicros, 1_000_000L));
        bytes(sink, collectorHash);
        bytes(sink.u16(collector.length), collector);
        bytes(sink, routerHash);
        bytes(sink, Arrays.copyOf(raw, 16));
        bytes(sink.u16(router.length), router);
        sink.u32(1);
        return sink.bytes(bytes, from, to).toByteArray();
    }

    private static void bytes(ByteSink sink, byte[] bytes) {
        sink.bytes(bytes, 0, bytes.length);
    }
}
