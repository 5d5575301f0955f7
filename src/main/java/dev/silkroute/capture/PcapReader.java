package dev.silkroute.capture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * Classic pcap.
 *
 * <pre>
 *   file:    magic u32 | major u16 | minor u16 | zone i32 | accuracy u32 | snap length u32 | link type u32
 *   packet:  seconds u32 | fraction u32 | bytes kept u32 | bytes on the wire u32 | bytes kept …
 * </pre>
 *
 * The magic says the byte order of all of them and whether the fraction is in micro- or nanoseconds. Source:
 * draft-ietf-opsawg-pcap.
 */
final class PcapReader extends PacketReader {
    static final int MAGIC_MICROS = 0xa1b2c3d4;
    static final int MAGIC_NANOS = 0xa1b23c4d;

    private static final int FILE_HEADER = 24;
    private static final int PACKET_HEADER = 16;
    private static final int LINK_TYPE_AT = 20;

    /** No capture program keeps more of one packet than 256 KiB; four times that is a damaged file. */
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
        timed = true;
        nanosPerUnit = header.getInt(0) == MAGIC_NANOS ? 1 : 1000;
        // The upper half tells of a frame check sequence, which the IP total length leaves out anyway.
        linkType = header.getInt(LINK_TYPE_AT) & 0xffff;
        if (!LinkLayer.isKnown(linkType)) {
            throw input.error(LINK_TYPE_AT, LinkLayer.unknown(linkType));
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
        ensure(kept);
        length = input.read(packet, 0, kept);
        if (length < kept) {
            throw input.endedEarly(offset, "truncated: a packet has " + length + " of its " + kept + " bytes");
        }
        return true;
    }
}
