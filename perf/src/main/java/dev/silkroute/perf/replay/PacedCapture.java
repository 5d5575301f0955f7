package dev.silkroute.perf.replay;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A pcap of one BMP session with a message in each packet, at random times: bursts, and pauses of up to many means. */
final class PacedCapture {
    private static final int RAW_IP = 101;
    private static final int HEADERS = 40;
    private static final int STATISTICS_REPORT = 1;

    private PacedCapture() {}

    static void write(Path file, int packets, double meanGapMillis, long seed) throws IOException {
        Random random = new Random(seed);
        long nanos = 1_700_000_000_000_000_000L;
        int sequence = 1;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
            header.putInt(0xa1b23c4d)
                    .putShort((short) 2)
                    .putShort((short) 4)
                    .putLong(0)
                    .putInt(65535);
            out.write(header.putInt(RAW_IP).array());
            for (int i = 0; i < packets; i++) {
                int length = 48 + random.nextInt(1200);
                out.write(packet(nanos, sequence, length, random));
                sequence += length;
                nanos += (long) (-Math.log(1 - random.nextDouble()) * meanGapMillis * 1_000_000);
            }
        }
    }

    private static byte[] packet(long nanos, int sequence, int length, Random random) {
        byte[] message = new byte[length];
        random.nextBytes(message);
        ByteBuffer.wrap(message).put((byte) 3).putInt(length).put((byte) STATISTICS_REPORT);
        ByteBuffer packet = ByteBuffer.allocate(16 + HEADERS + length).order(ByteOrder.LITTLE_ENDIAN);
        packet.putInt((int) (nanos / 1_000_000_000)).putInt((int) (nanos % 1_000_000_000));
        packet.putInt(HEADERS + length).putInt(HEADERS + length).order(ByteOrder.BIG_ENDIAN);
        packet.putShort((short) 0x4500).putShort((short) (HEADERS + length)).putInt(0);
        packet.putShort((short) 0x4006).putShort((short) 0).putInt(0xc0000201).putInt(0xc0000202);
        packet.putShort((short) 20_000)
                .putShort((short) 11_019)
                .putInt(sequence)
                .putInt(1);
        packet.putShort((short) 0x5010).putShort((short) -1).putInt(0);
        return packet.put(message).array();
    }
}
