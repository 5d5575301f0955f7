package dev.silkroute.capture;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One TCP direction from packets to BMP bytes. */
final class SessionStream {
    private final Flow flow;
    private final long begin;
    private final BmpStart bmp;
    private final TcpStream tcp;

    SessionStream(TcpSegment first, long packet, ReassemblyLimit limit, TcpStream.Sink sink) {
        this.flow = first.flow();
        this.begin = packet;
        this.bmp = new BmpStart(first.syn(), limit, sink);
        this.tcp = new TcpStream(first, limit, bmp);
    }

    Flow flow() {
        return flow;
    }

    /** File offset of the first packet. */
    long begin() {
        return begin;
    }

    BmpStart.State state() {
        return bmp.state();
    }

    /** Whether there was no room to find out where its BMP begins, if it is BMP. */
    boolean lacksRoom() {
        return bmp.lacksRoom();
    }

    long skipped() {
        return bmp.skipped();
    }

    boolean closed() {
        return tcp.closed();
    }

    boolean broken() {
        return tcp.gap() != null;
    }

    boolean restartedBy(TcpSegment segment) {
        return tcp.restartedBy(segment);
    }

    void add(TcpSegment segment, long packet) {
        if (bmp.state() == BmpStart.State.OTHER) {
            tcp.discard();
        } else {
            tcp.add(segment, packet);
        }
    }

    void finish() {
        tcp.finish();
        bmp.finish();
    }

    void discard() {
        tcp.discard();
        bmp.discard();
    }

    /** The missing bytes as an error of the file, null where none are missing. */
    @Nullable
    CaptureException gap(Path file) {
        TcpStream.Gap gap = tcp.gap();
        return gap == null
                ? null
                : new CaptureException(
                        file,
                        gap.packet(),
                        "the capture lacks " + gap.length() + " bytes of " + flow + " after the first " + gap.at()
                                + " of that TCP stream");
    }
}
