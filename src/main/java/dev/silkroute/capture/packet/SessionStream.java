package dev.silkroute.capture.packet;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.Flow;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Converts the segments of one direction of a TCP connection to BMP bytes, from the first complete message. Not
 * thread-safe.
 */
final class SessionStream {
    private final Flow flow;
    private final long begin;
    private final BmpStartFinder bmp;
    private final TcpStream tcp;

    SessionStream(TcpSegment first, long packet, ReassemblyLimit limit, TcpStream.Sink sink) {
        this.flow = first.flow();
        this.begin = packet;
        this.bmp = new BmpStartFinder(first.isSyn(), limit, sink);
        this.tcp = new TcpStream(first, limit, bmp);
    }

    Flow flow() {
        return flow;
    }

    /** Returns the file offset of the first packet. */
    long begin() {
        return begin;
    }

    BmpStartFinder.State state() {
        return bmp.state();
    }

    /** Returns whether the search for the first message was given up because of the {@link ReassemblyLimit}. */
    boolean isOverLimit() {
        return bmp.isOverLimit();
    }

    long skipped() {
        return bmp.skipped();
    }

    boolean isClosed() {
        return tcp.isClosed();
    }

    boolean hasGap() {
        return tcp.gap() != null;
    }

    /** Returns whether the segment opens another connection between the same endpoints. */
    boolean isRestartedBy(TcpSegment segment) {
        return tcp.isRestartedBy(segment);
    }

    void add(TcpSegment segment, long packet) {
        if (bmp.state() == BmpStartFinder.State.OTHER) {
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

    /** Returns the first missing bytes as an error, or null if none are missing. */
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
