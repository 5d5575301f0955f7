package dev.silkroute.collector.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bmp.BmpMessages;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
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

    @Test
    void batchesThatAreSmallPartsOfTheBufferAreTheStreamInOrder() {
        // Given messages of 6 to 300 bytes, numbered, which come in pieces of any length and are taken a few at a time
        Random random = new Random(7);
        ByteBuf stream = Unpooled.buffer();
        for (int i = 0; i < 5_000; i++) {
            int length = BmpMessages.COMMON_HEADER_LENGTH + random.nextInt(295);
            stream.writeByte(3).writeInt(length).writeByte(200);
            for (int at = BmpMessages.COMMON_HEADER_LENGTH; at < length; at++) {
                stream.writeByte(i + at);
            }
        }
        byte[] sent = ByteBufUtil.getBytes(stream);
        ByteBuf received = Unpooled.buffer();
        // When
        while (stream.isReadable()) {
            buffer.append(stream.readSlice(Math.min(stream.readableBytes(), 1 + random.nextInt(20_000))));
            assertThat(buffer.scan()).isNull();
            for (int takes = random.nextInt(4); takes > 0; takes--) {
                received.writeBytes(buffer.take(1 + random.nextInt(10_000), 1 + random.nextInt(MANY)));
            }
        }
        while (buffer.messages() > 0) {
            received.writeBytes(buffer.take(BATCH, MANY));
        }
        // Then
        assertThat(ByteBufUtil.getBytes(received)).isEqualTo(sent);
        assertThat(buffer.taken()).isEqualTo(5_000);
        assertThat(buffer.wholeBytes() + buffer.rest()).isZero();
    }
}
