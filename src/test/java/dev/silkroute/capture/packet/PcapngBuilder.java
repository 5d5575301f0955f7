package dev.silkroute.capture.packet;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** Writes pcapng files block by block. */
final class PcapngBuilder {
    static final int MICROS = 6;
    static final int NANOS = 9;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;

    /** Everything up to the next section is in this byte order. */
    PcapngBuilder section(ByteOrder sectionOrder) {
        order = sectionOrder;
        // The section's length is not known, and there is a comment.
        ByteBuffer body = body(28).putInt(PcapngReader.BYTE_ORDER).putShort((short) 1);
        body.putShort((short) 0).putLong(-1).putShort((short) 1).putShort((short) 3);
        return block(
                PcapngReader.SECTION_HEADER,
                body.put(new byte[] {'h', 'i', '!', 0}).putInt(0));
    }

    /** An interface without clock options: microseconds. */
    PcapngBuilder device(int linkType) {
        return block(
                PcapngReader.INTERFACE,
                body(8).putShort((short) linkType).putShort((short) 0).putInt(262_144));
    }

    PcapngBuilder device(int linkType, int snapLength, int resolution, long offsetSeconds) {
        ByteBuffer body =
                body(32).putShort((short) linkType).putShort((short) 0).putInt(snapLength);
        body.putShort((short) 9).putShort((short) 1).put((byte) resolution).put(new byte[3]);
        body.putShort((short) 14).putShort((short) 8).putLong(offsetSeconds);
        return block(PcapngReader.INTERFACE, body.putInt(0));
    }

    PcapngBuilder enhanced(int device, long time, byte[] packet) {
        ByteBuffer body = body(20 + padded(packet.length) + 12).putInt(device);
        body.putInt((int) (time >>> 32)).putInt((int) time);
        body.putInt(packet.length).putInt(packet.length).put(packet);
        // An option behind the packet: flags of 4 bytes, then the end of options.
        body.position(20 + padded(packet.length));
        body.putShort((short) 2).putShort((short) 4).putInt(1).putInt(0);
        return block(PcapngReader.ENHANCED_PACKET, body);
    }

    PcapngBuilder old(int device, long time, byte[] packet) {
        ByteBuffer body =
                body(20 + padded(packet.length)).putShort((short) device).putShort((short) 7);
        body.putInt((int) (time >>> 32)).putInt((int) time);
        body.putInt(packet.length).putInt(packet.length).put(packet);
        return block(PcapngReader.PACKET, body);
    }

    PcapngBuilder simple(byte[] packet, int wireLength) {
        ByteBuffer body = body(4 + padded(packet.length)).putInt(wireLength).put(packet);
        return block(PcapngReader.SIMPLE_PACKET, body);
    }

    PcapngBuilder other(int type, int length) {
        return block(type, body(length));
    }

    private PcapngBuilder block(int type, ByteBuffer body) {
        int length = body.capacity() + 12;
        out.writeBytes(body(8).putInt(type).putInt(length).array());
        out.writeBytes(body.array());
        out.writeBytes(body(4).putInt(length).array());
        return this;
    }

    private ByteBuffer body(int length) {
        return ByteBuffer.allocate(length).order(order);
    }

    private static int padded(int length) {
        return length + 3 & ~3;
    }

    int length() {
        return out.size();
    }

    byte[] bytes() {
        return out.toByteArray();
    }

    Path write(Path file) {
        return PcapBuilder.write(file, bytes());
    }
}
