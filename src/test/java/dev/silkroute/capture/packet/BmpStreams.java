package dev.silkroute.capture.packet;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Random;

/** Creates streams with valid BMP framing and random content. */
public final class BmpStreams {
    private static final int STATISTICS_REPORT = 1;
    private static final int INITIATION = 4;

    private BmpStreams() {}

    public static byte[] message(int type, int length, long seed) {
        byte[] message = new byte[length];
        new Random(seed).nextBytes(message);
        ByteBuffer.wrap(message).put((byte) 3).putInt(length).put((byte) type);
        return message;
    }

    /** Returns a stream of an Initiation and Statistics Reports of 48 to 400 bytes. */
    public static byte[] stream(int messages, long seed) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Random random = new Random(seed);
        out.writeBytes(message(INITIATION, 40, seed));
        for (int i = 1; i < messages; i++) {
            out.writeBytes(message(STATISTICS_REPORT, 48 + random.nextInt(353), random.nextLong()));
        }
        return out.toByteArray();
    }
}
