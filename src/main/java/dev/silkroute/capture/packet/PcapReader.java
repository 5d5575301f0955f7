package dev.silkroute.capture.packet;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureInput;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * Reads classic pcap files.
 *
 * <pre>
 *   file:    magic u32 | major u16 | minor u16 | zone i32 | accuracy u32 | snap length u32 | link type u32
 *   packet:  seconds u32 | fraction u32 | bytes kept u32 | bytes on the wire u32 | bytes kept …
 * </pre>
 *
 * The magic determines the byte order of all fields and whether the fraction is in microseconds or nanoseconds. Source:
 * draft-ietf-opsawg-pcap.
 */
final class PcapReader extends PacketReader {
    static final int MAGIC_MICROS = 0xa1b2c3d4;
    static final int MAGIC_NANOS = 0xa1b23c4d;

    private static final int FILE_HEADER = 24;
    private static final int PACKET_HEADER = 16;
    private static final int LINK_TYPE_AT = 20;

    /** Four times the maximum packet that capture programs write, 256 KiB; a larger one indicates a damaged file. */
    private static final int MAX_PACKET = 1 << 20;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final ByteBuffer header = ByteBuffer.allocate(FILE_HEADER);
    private final int nanosPerUnit;

    PcapReader(CaptureInput input) throws CaptureException {
        super(input);
        if (input.read(header.array(), 0, FILE_HEADER) < FILE_HEADER) {
            throw input.endedEarly(0, "truncated: no whole pcap file header");
        }
        int magic = header.getInt(0);
        if (!isMagic(magic)) {
            throw input.error(
                    0, "not a pcap file: begins with " + HexFormat.of().toHexDigits(magic));
        }
        if (magic != MAGIC_MICROS && magic != MAGIC_NANOS) {
            header.order(ByteOrder.LITTLE_ENDIAN);
        }
        isTimed = true;
        nanosPerUnit = header.getInt(0) == MAGIC_NANOS ? 1 : 1000;
        // The upper half describes a frame check sequence, which is outside the IP packet.
        linkType = header.getInt(LINK_TYPE_AT) & 0xffff;
        if (!LinkLayer.isKnown(linkType)) {
            throw input.error(LINK_TYPE_AT, LinkLayer.unsupported(linkType));
        }
    }

    static boolean isMagic(int magic) {
        int swapped = Integer.reverseBytes(magic);
        return magic == MAGIC_MICROS || magic == MAGIC_NANOS || swapped == MAGIC_MICROS || swapped == MAGIC_NANOS;
    }

    @Override
    boolean next() throws CaptureException {
        offset = input.position();
        int read = input.read(header.array(), 0, PACKET_HEADER);
        if (read == 0) {
            return false;
        }
        if (read < PACKET_HEADER) {
            throw input.endedEarly(
                    offset, "truncated: a packet header has " + read + " of its " + PACKET_HEADER + " bytes");
        }
        timeNanos = Integer.toUnsignedLong(header.getInt(0)) * NANOS_PER_SECOND
                + Integer.toUnsignedLong(header.getInt(4)) * nanosPerUnit;
        int kept = header.getInt(8);
        if (kept < 0 || kept > MAX_PACKET) {
            throw input.error(
                    offset, "damaged: a packet of " + Integer.toUnsignedString(kept) + " bytes is impossible");
        }
        ensureCapacity(kept);
        length = input.read(packet, 0, kept);
        if (length < kept) {
            throw input.endedEarly(offset, "truncated: a packet has " + length + " of its " + kept + " bytes");
        }
        return true;
    }
}
