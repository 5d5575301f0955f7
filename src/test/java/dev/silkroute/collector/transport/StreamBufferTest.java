package dev.silkroute.collector.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * The buffer of a connection shrinks with its contents: ten thousand connections may each have sent a long message.
 */
class StreamBufferTest {
    private static final int LONG = 1 << 20;
    private static final int MANY = 100;
    private static final int BATCH = 1 << 20;

    private final StreamBuffer buffer =
            new StreamBuffer(new SessionLimits(LONG, 4 * LONG, BATCH, Duration.ofSeconds(60)));

    private void append(byte[] bytes) {
        buffer.append(Unpooled.wrappedBuffer(bytes));
        assertThat(buffer.scan()).isNull();
    }

    @Test
    void givenALongMessageAndTheBeginningOfAnotherWhenItIsTakenThenTheBufferShrinks() {
        byte[] stream = Arrays.copyOf(new byte[] {3, 0, 0x10, 0, 0, (byte) 200}, LONG + 3);
        stream[LONG] = 3;
        append(stream);
        byte[] taken = buffer.take(BATCH, MANY);
        assertThat(taken).isEqualTo(Arrays.copyOf(stream, LONG));
        buffer.trim();
        assertThat(buffer.rest()).isEqualTo(3);
        assertThat(buffer.capacity()).isEqualTo(3);
        // and the incomplete message continues
        append(new byte[] {0, 8, (byte) 200, 1, 2});
        assertThat(buffer.take(BATCH, MANY)).containsExactly(3, 0, 0, 0, 8, 200, 1, 2);
    }
}
