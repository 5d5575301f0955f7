package dev.silkroute.perf.framing;

import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.net.ByteSink;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;

/**
 * The bytes that each session sends: its own Initiation, which names its router, then the same messages for all; and
 * this {@code passes} times over.
 */
final class BmpStream {
    private static final int SYNTHETIC_MESSAGES = 80_000;
    private static final long SEED = 7854;

    private final byte[] body;
    private final int messages;

    private BmpStream(byte[] body) {
        this.body = body;
        FrameScanner scanner = new FrameScanner();
        scanner.scan(body, 0, body.length);
        if (scanner.end() != body.length) {
            throw new IllegalArgumentException("no stream of whole BMP messages: " + scanner.fault());
        }
        messages = scanner.messages();
    }

    /** Reads a session as a router sent it, without its Initiations; compressed if the name ends accordingly. */
    static BmpStream read(Path file) throws IOException {
        try (InputStream raw = Files.newInputStream(file);
                InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            byte[] all = in.readAllBytes();
            ByteSink kept = new ByteSink(all.length);
            int length;
            for (int at = 0; at < all.length; at += length) {
                length = BmpMessages.length(all, at);
                if (BmpMessages.type(all, at) != MessageType.INITIATION.code()) {
                    kept.bytes(all, at, at + length);
                }
            }
            return new BmpStream(Arrays.copyOf(kept.array(), kept.position()));
        }
    }

    /** Route Monitoring of IPv4 announcements, 120 to 200 bytes each, the same at every run. */
    static BmpStream synthetic() {
        SplittableRandom random = new SplittableRandom(SEED);
        ByteSink out = new ByteSink(SYNTHETIC_MESSAGES * 160);
        ByteSink update = new ByteSink();
        for (int i = 0; i < SYNTHETIC_MESSAGES; i++) {
            int peer = random.nextInt(4);
            update.reset();
            announcement(random, update);
            PeerHeader header = new PeerHeader(
                    0, 0, 0, 0, 0xC0000201L + peer, 64500 + peer, 0x0A000001 + peer, 1_700_000_000_000_000L + i);
            BmpEncoder.routeMonitoring(header, update.array(), 0, update.position(), out);
        }
        return new BmpStream(Arrays.copyOf(out.array(), out.position()));
    }

    /** RFC 4271, Section 4.3: ORIGIN, AS_PATH, NEXT_HOP, MULTI_EXIT_DISC, COMMUNITIES and one to four prefixes. */
    private static void announcement(SplittableRandom random, ByteSink out) {
        out.i64(-1).i64(-1).u16(0).u8(2).u16(0);
        int attributes = out.position();
        out.u16(0).u8(0x40).u8(1).u8(1).u8(0);
        int hops = 2 + random.nextInt(5);
        out.u8(0x40).u8(2).u8(2 + 4 * hops).u8(2).u8(hops);
        for (int i = 0; i < hops; i++) {
            out.u32(1 + random.nextInt(400_000));
        }
        out.u8(0x40).u8(3).u8(4).u32(0xC0000201).u8(0x80).u8(4).u8(4).u32(random.nextInt(1000));
        int communities = 2 + random.nextInt(6);
        out.u8(0xC0).u8(8).u8(4 * communities);
        for (int i = 0; i < communities; i++) {
            out.u16(64500).u16(random.nextInt(100));
        }
        out.patchU16(attributes, out.position() - attributes - 2);
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            out.u8(24).u8(1 + random.nextInt(223)).u16(random.nextInt(1 << 16));
        }
        out.patchU16(16, out.position());
    }

    static String router(int session) {
        return "router-" + session;
    }

    /** The messages with which a session begins each pass. */
    static byte[] initiation(int session) {
        ByteSink out = new ByteSink();
        BmpEncoder.initiation(router(session), "performance scenario", out);
        return Arrays.copyOf(out.array(), out.position());
    }

    byte[] body() {
        return body;
    }

    /** Messages of one pass of one session. */
    int messages() {
        return messages + 1;
    }

    long bytes(int session, int passes) {
        return (long) passes * (initiation(session).length + body.length);
    }
}
