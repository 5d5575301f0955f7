package dev.silkroute.collector.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.session.BmpSession;
import dev.silkroute.session.identity.RouterIdentity;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The batches in which the rest of an ended session is sent. */
class BatchSenderTest extends FrameHandlerHarness {
    private static final String END = "connection closed";
    private static final SessionLimits WIDE = new SessionLimits(10_000, 100_000, 5_000, Duration.ofSeconds(60));

    private static final BmpSession SESSION =
            new BmpSession(CONFIG, 1, InetAddress.getLoopbackAddress(), RouterIdentity.configured("router"));

    private final StreamBuffer buffer = new StreamBuffer(WIDE);
    private final List<FrameBatch> sent = new ArrayList<>();
    private int admitted;
    private final BatchSender sender = new BatchSender(buffer, WIDE, sent::add, new BatchSender.Listener() {
        @Override
        public int admitted(int bytes, int first) {
            assertThat(first).isEqualTo(MESSAGE);
            int most = Math.min(admitted, 2 * MESSAGE);
            admitted -= Math.min(most, bytes);
            return most;
        }

        @Override
        public void sent(int bytes, long receivedMicros) {}

        @Override
        public void acknowledged(int bytes, boolean last) {}
    });

    @BeforeEach
    void receive() {
        buffer.append(Unpooled.wrappedBuffer(messages(0, 7)));
        assertThat(buffer.scan()).isNull();
    }

    private boolean sendLast(boolean isUrgent) {
        return sender.sendLast(SESSION, END, isUrgent, sent::add);
    }

    @Test
    void theRestIsSentAsItIsAdmittedAndTheLastBatchHasTheReason() {
        assertThat(sendLast(false)).isFalse();
        assertThat(sent).isEmpty();
        admitted = 4 * MESSAGE;
        assertThat(sendLast(false)).isFalse();
        assertThat(sent).extracting(batch -> batch.bytes().length).containsExactly(2 * MESSAGE, 2 * MESSAGE);
        assertThat(sent).extracting(FrameBatch::end).containsOnlyNulls();
        admitted = Integer.MAX_VALUE;
        assertThat(sendLast(false)).isTrue();
        assertThat(bytes(sent)).isEqualTo(messages(0, 7));
        assertThat(sent).extracting(FrameBatch::end).containsExactly(null, null, null, END);
    }

    @Test
    void anUrgentEndWaitsForNothing() {
        assertThat(sendLast(true)).isTrue();
        assertThat(bytes(sent)).isEqualTo(messages(0, 7));
        assertThat(sent).extracting(FrameBatch::end).containsExactly(null, END);
    }

    @Test
    void aReasonWithoutMessagesWaitsForNothing() {
        admitted = Integer.MAX_VALUE;
        sendLast(false);
        sent.clear();
        admitted = 0;
        assertThat(sendLast(false)).isTrue();
        assertThat(sent).extracting(FrameBatch::end).containsExactly(END);
    }
}
