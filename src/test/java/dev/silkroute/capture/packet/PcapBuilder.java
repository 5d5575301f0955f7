package dev.silkroute.capture.packet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Writes pcap files packet by packet, in any order and framing. */
public final class PcapBuilder {
    static final int FIN = 0x01;
    static final int SYN = 0x02;
    static final int RST = 0x04;
    static final int ACK = 0x10;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private boolean nanos;
    private int linkType = LinkLayer.ETHERNET;
    private int snapLength = 262_144;
    private boolean ipv6;
    private int vlanTags;
    private int sourcePort = 20_000;
    private long timeMicros = 1_700_000_000_000_000L;
    private boolean started;

    PcapBuilder order(ByteOrder order) {
        this.order = order;
        return this;
    }

    PcapBuilder nanos() {
        this.nanos = true;
        return this;
    }

    PcapBuilder linkType(int linkType) {
        this.linkType = linkType;
        return this;
    }

    PcapBuilder snapLength(int snapLength) {
        this.snapLength = snapLength;
        return this;
    }

    PcapBuilder ipv6() {
        this.ipv6 = true;
        return this;
    }

    PcapBuilder vlanTags(int tags) {
        this.vlanTags = tags;
        return this;
    }

    PcapBuilder from(int sourcePort) {
        this.sourcePort = sourcePort;
        return this;
    }

    PcapBuilder at(long timeMicros) {
        this.timeMicros = timeMicros;
        return this;
    }

    public PcapBuilder syn(int sequence) {
        return segment(sequence, SYN, new byte[0]);
    }

    PcapBuilder fin(int sequence) {
        return segment(sequence, FIN | ACK, new byte[0]);
    }

    public PcapBuilder data(int sequence, byte[] stream, int from, int to) {
        return segment(sequence, ACK, Arrays.copyOfRange(stream, from, to));
    }

    PcapBuilder segment(int sequence, int flags, byte[] payload) {
        ByteBuffer tcp = ByteBuffer.allocate(20 + payload.length);
        tcp.putShort((short) sourcePort)
                .putShort((short) 11019)
                .putInt(sequence)
                .putInt(1);
        tcp.put((byte) 0x50).put((byte) flags).putShort((short) 65535).putInt(0).put(payload);
        return packet(frame(ip(tcp.array())));
    }

    private byte[] ip(byte[] tcp) {
        if (ipv6) {
            // A destination options header in between, as some stacks put there.
            ByteBuffer ip = ByteBuffer.allocate(48 + tcp.length);
            ip.putInt(0x60000000)
                    .putShort((short) (8 + tcp.length))
                    .put((byte) 60)
                    .put((byte) 64);
            ip.putLong(0x20010db8_00000000L)
                    .putLong(1)
                    .putLong(0x20010db8_00000000L)
                    .putLong(2);
            return ip.put((byte) 6).put((byte) 0).put(new byte[6]).put(tcp).array();
        }
        ByteBuffer ip = ByteBuffer.allocate(20 + tcp.length);
        ip.put((byte) 0x45).put((byte) 0).putShort((short) (20 + tcp.length)).putShort((short) 7);
        ip.putShort((short) 0x4000).put((byte) 64).put((byte) 6).putShort((short) 0);
        return ip.putInt(0xc0000201).putInt(0xc0000202).put(tcp).array();
    }

    private byte[] frame(byte[] ip) {
        short type = (short) (ipv6 ? 0x86dd : 0x0800);
        ByteBuffer frame = ByteBuffer.allocate(64 + ip.length);
        switch (linkType) {
            case LinkLayer.ETHERNET -> {
                frame.put(new byte[12]);
                for (int i = 0; i < vlanTags; i++) {
                    frame.putShort((short) (i == 0 && vlanTags > 1 ? 0x88a8 : 0x8100))
                            .putShort((short) 42);
                }
                frame.putShort(type);
            }
            case LinkLayer.LINUX_SLL -> frame.put(new byte[14]).putShort(type);
            case LinkLayer.LINUX_SLL2 -> frame.putShort(type).put(new byte[18]);
            case LinkLayer.NULL, LinkLayer.LOOP -> frame.order(order).putInt(ipv6 ? 30 : 2);
            default -> {}
        }
        frame.put(ip);
        // Ethernet pads short frames; the padding is not payload.
        int length = linkType == LinkLayer.ETHERNET ? Math.max(60, frame.position()) : frame.position();
        return Arrays.copyOf(frame.array(), length);
    }

    PcapBuilder packet(byte[] frame) {
        start();
        int kept = Math.min(frame.length, snapLength);
        ByteBuffer header = ByteBuffer.allocate(16).order(order);
        header.putInt((int) (timeMicros / 1_000_000));
        header.putInt((int) (timeMicros % 1_000_000) * (nanos ? 1000 : 1));
        out.writeBytes(header.putInt(kept).putInt(frame.length).array());
        out.write(frame, 0, kept);
        timeMicros += 1000;
        return this;
    }

    private void start() {
        if (!started) {
            started = true;
            ByteBuffer header = ByteBuffer.allocate(24).order(order);
            header.putInt(nanos ? PcapReader.MAGIC_NANOS : PcapReader.MAGIC_MICROS);
            header.putShort((short) 2)
                    .putShort((short) 4)
                    .putLong(0)
                    .putInt(snapLength)
                    .putInt(linkType);
            out.writeBytes(header.array());
        }
    }

    /** The packets alone, as this link type frames them. */
    List<byte[]> packets() {
        ByteBuffer file = ByteBuffer.wrap(bytes()).order(order).position(24);
        List<byte[]> packets = new ArrayList<>();
        while (file.hasRemaining()) {
            byte[] packet = new byte[file.position(file.position() + 8).getInt()];
            file.position(file.position() + 4).get(packet);
            packets.add(packet);
        }
        return packets;
    }

    byte[] bytes() {
        start();
        return out.toByteArray();
    }

    public Path write(Path file) {
        return write(file, bytes());
    }

    static Path write(Path file, byte[] bytes) {
        try {
            return Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
