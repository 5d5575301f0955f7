package dev.silkroute.capture.packet;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureInput;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the packets of all sections and interfaces of a pcapng file.
 *
 * <pre>
 *   block:             type u32 | length of it all u32 | body … | the same length u32
 *   section header:    byte-order magic u32 | major u16 | minor u16 | section length i64 | options …
 *   interface:         link type u16 | reserved u16 | snap length u32 | options …
 *   enhanced packet:   interface u32 | time u32 (upper) u32 (lower) | captured u32 | original u32 | packet … | …
 *   packet (old):      interface u16 | drops u16 | the same from the time on
 *   simple packet:     bytes on the wire u32 | packet …
 * </pre>
 *
 * Each section has its own byte order and interfaces. Other blocks are skipped. Packets of unsupported link types are
 * returned, because a file may contain them beside others. Source: draft-ietf-opsawg-pcapng.
 */
final class PcapngReader extends PacketReader {
    static final int SECTION_HEADER = 0x0a0d0d0a;
    static final int BYTE_ORDER = 0x1a2b3c4d;
    static final int INTERFACE = 1;
    static final int PACKET = 2;
    static final int SIMPLE_PACKET = 3;
    static final int ENHANCED_PACKET = 6;

    private static final int BLOCK_HEADER = 8;
    private static final int TRAILER = 4;
    private static final int MIN_BLOCK = BLOCK_HEADER + TRAILER;
    private static final int PACKET_FIELDS = 20;

    /** The maximum size of a block that is read: 1 MiB of packet and 1 MiB of options, more than any program writes. */
    private static final int MAX_BLOCK = 2 << 20;

    private static final int MAX_INTERFACES = 1 << 16;

    private final List<PcapngInterface> interfaces = new ArrayList<>();
    private final ByteBuffer header = ByteBuffer.allocate(BLOCK_HEADER);
    private ByteBuffer body = ByteBuffer.allocate(0);

    PcapngReader(CaptureInput input) throws CaptureException {
        super(input);
        readHeader();
        if (header.getInt(0) != SECTION_HEADER) {
            throw input.error(0, "not a pcapng file: begins with no section header");
        }
        readSectionHeader();
    }

    @Override
    boolean next() throws CaptureException {
        boolean found = false;
        while (!found && readHeader()) {
            found = switch (header.getInt(0)) {
                case SECTION_HEADER -> readSectionHeader();
                case INTERFACE -> readInterface();
                case ENHANCED_PACKET -> readPacket(true);
                case PACKET -> readPacket(false);
                case SIMPLE_PACKET -> readSimplePacket();
                default -> skip();
            };
        }
        return found;
    }

    /** Reads a block header. Returns false at the end of the file. */
    private boolean readHeader() throws CaptureException {
        offset = input.position();
        int read = input.read(header.array(), 0, BLOCK_HEADER);
        if (read > 0 && read < BLOCK_HEADER) {
            throw input.endedEarly(
                    offset, "truncated: a block header has " + read + " of its " + BLOCK_HEADER + " bytes");
        }
        return read > 0;
    }

    /** The type of a section header reads the same in both byte orders, so it is known before the byte order. */
    private boolean readSectionHeader() throws CaptureException {
        byte[] magic = new byte[4];
        if (input.read(magic, 0, magic.length) < magic.length) {
            throw input.endedEarly(offset, "truncated: no whole section header");
        }
        ByteBuffer order = ByteBuffer.wrap(magic);
        if (order.getInt(0) != BYTE_ORDER) {
            order.order(ByteOrder.LITTLE_ENDIAN);
        }
        if (order.getInt(0) != BYTE_ORDER) {
            throw input.error(offset, "damaged: a section header without its byte-order magic");
        }
        header.order(order.order());
        readBody(magic.length);
        int major = body.remaining() < 2 ? 0 : Short.toUnsignedInt(body.getShort(0));
        if (major != 1) {
            throw input.error(offset, "pcapng version " + major + " cannot be read, only 1");
        }
        interfaces.clear();
        return false;
    }

    private boolean readInterface() throws CaptureException {
        readBody(0);
        if (interfaces.size() == MAX_INTERFACES) {
            throw input.error(offset, "damaged: more than " + MAX_INTERFACES + " interfaces");
        }
        try {
            interfaces.add(PcapngInterface.read(body));
        } catch (IllegalArgumentException e) {
            throw input.error(offset, "damaged: " + e.getMessage());
        }
        return false;
    }

    private boolean readPacket(boolean enhanced) throws CaptureException {
        readBody(0);
        if (body.remaining() < PACKET_FIELDS) {
            throw input.error(offset, "damaged: a packet block of " + body.remaining() + " bytes");
        }
        long id = enhanced ? Integer.toUnsignedLong(body.getInt(0)) : Short.toUnsignedInt(body.getShort(0));
        PcapngInterface from = interfaceOf(id);
        long units = Integer.toUnsignedLong(body.getInt(4)) << 32 | Integer.toUnsignedLong(body.getInt(8));
        timeNanos = from.nanos(units);
        isTimed = true;
        return take(from, PACKET_FIELDS, Integer.toUnsignedLong(body.getInt(12)));
    }

    /** A simple packet has no time; that of the packet before it applies. */
    private boolean readSimplePacket() throws CaptureException {
        readBody(0);
        if (body.remaining() < Integer.BYTES) {
            throw input.error(offset, "damaged: a packet block of " + body.remaining() + " bytes");
        }
        PcapngInterface from = interfaceOf(0);
        long kept = Integer.toUnsignedLong(body.getInt(0));
        kept = from.snapLength() > 0 ? Math.min(kept, from.snapLength()) : kept;
        return take(from, Integer.BYTES, kept);
    }

    private PcapngInterface interfaceOf(long id) throws CaptureException {
        if (id >= interfaces.size()) {
            throw input.error(
                    offset, "damaged: a packet of interface " + id + " in a section with " + interfaces.size());
        }
        return interfaces.get((int) id);
    }

    private boolean take(PcapngInterface from, int at, long kept) throws CaptureException {
        if (kept > body.remaining() - at) {
            throw input.error(offset, "damaged: a packet of " + kept + " bytes is longer than its block");
        }
        length = (int) kept;
        linkType = from.linkType();
        System.arraycopy(packet, at, packet, 0, length);
        return true;
    }

    private boolean skip() throws CaptureException {
        long left = blockLength() - MIN_BLOCK;
        if (input.skip(left) < left) {
            throw input.endedEarly(offset, "truncated: a block is shorter than its " + blockLength() + " bytes");
        }
        readTrailer();
        return false;
    }

    private void readBody(int taken) throws CaptureException {
        long whole = blockLength();
        if (whole > MAX_BLOCK) {
            throw input.error(offset, "damaged: a block of " + whole + " bytes is impossible");
        }
        int wanted = (int) whole - MIN_BLOCK - taken;
        if (wanted < 0) {
            throw input.error(offset, "damaged: a block of " + whole + " bytes is impossible");
        }
        ensureCapacity(wanted);
        int read = input.read(packet, 0, wanted);
        if (read < wanted) {
            throw input.endedEarly(
                    offset, "truncated: a block has " + (BLOCK_HEADER + taken + read) + " of its " + whole + " bytes");
        }
        body = ByteBuffer.wrap(packet, 0, wanted).order(header.order());
        readTrailer();
    }

    private long blockLength() throws CaptureException {
        long whole = Integer.toUnsignedLong(header.getInt(4));
        if (whole < MIN_BLOCK || whole % 4 != 0) {
            throw input.error(offset, "damaged: a block of " + whole + " bytes is impossible");
        }
        return whole;
    }

    private void readTrailer() throws CaptureException {
        byte[] trailer = new byte[TRAILER];
        int read = input.read(trailer, 0, TRAILER);
        if (read < TRAILER) {
            throw input.endedEarly(
                    offset, "truncated: a block lacks " + (TRAILER - read) + " of its " + blockLength() + " bytes");
        }
        if (ByteBuffer.wrap(trailer).order(header.order()).getInt() != header.getInt(4)) {
            throw input.error(offset, "damaged: a block that gives two lengths");
        }
    }
}
