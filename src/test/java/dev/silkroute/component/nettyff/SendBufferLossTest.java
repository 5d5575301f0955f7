package dev.silkroute.component.nettyff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests what a lost connection and a stop do to messages and to waiting senders. */
class SendBufferLossTest extends SendBufferHarness {
    @Test
    void aLostConnectionFailsEverythingPending() throws Exception {
        SendBuffer buffer = connectedBuffer();
        for (int i = 0; i < 40; i++) {
            buffer.send(new byte[100], 1);
            run();
        }
        socket.takeOne();
        run();

        channel.close();

        NettyFfStatistics s = buffer.statistics();
        assertThat(s.written()).isEqualTo(1);
        assertThat(s.failed()).isEqualTo(39);
        assertThat(s).returns(0L, NettyFfStatistics::pending).returns(0L, NettyFfStatistics::pendingBytes);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void oneExchangeFailsAfterALossBeforeAnyIsAcceptedAgain() throws Exception {
        SendBuffer buffer = connectedBuffer();
        buffer.send(text("old session"), 1);
        channel.close();
        ControlledSocket next = new ControlledSocket().open();
        channel = new EmbeddedChannel(next);
        connect(buffer);

        assertThatThrownBy(() -> buffer.send(text("middle of the old"), 1))
                .hasMessage("the connection was lost: connection reset")
                .hasCause(PEER);
        buffer.send(text("new session"), 1);
        run();

        assertThat(next.taken()).asString().isEqualTo("new session");
        NettyFfStatistics s = buffer.statistics();
        assertThat(s)
                .returns(2L, NettyFfStatistics::accepted)
                .returns(1L, NettyFfStatistics::failed)
                .returns(1L, NettyFfStatistics::rejected)
                .returns(1L, NettyFfStatistics::reconnects);
        assertInvariant(s);
    }

    /**
     * A sender without messages can check that its session still exists. It does not while the next connection is being
     * established.
     */
    @Test
    void anEmptyBatchReportsALostConnection() throws Exception {
        SendBuffer buffer = connectedBuffer();
        buffer.sendAll(List.of());
        channel.close();

        assertThatThrownBy(() -> buffer.sendAll(List.of())).hasRootCause(PEER);
        buffer.beginConnecting();
        assertThatThrownBy(() -> buffer.sendAll(List.of())).hasRootCause(PEER);
        channel = new EmbeddedChannel(socket);
        Connection connection = new Connection(buffer, channel);
        assertThat(buffer.connected(connection.scheduler())).isTrue();
        buffer.sendAll(List.of());

        assertThat(buffer.statistics())
                .returns(0L, NettyFfStatistics::accepted)
                .returns(0L, NettyFfStatistics::rejected)
                .returns(1L, NettyFfStatistics::reconnects);
    }

    @Test
    void withoutConnectionSendersAreRejected() throws Exception {
        SendBuffer buffer = startedBuffer();
        buffer.send(text("first"), 1);

        LostMessages lost = buffer.lost(null, PEER);

        assertThat(lost).isEqualTo(new LostMessages(1, 5, PEER));
        assertThatThrownBy(() -> buffer.send(text("x"), 1)).hasMessage("not connected: connection reset");
        assertThatThrownBy(() -> buffer.send(text("x"), 1)).hasMessage("not connected: connection reset");
        assertThat(buffer.lost(null, PEER)).isNull();
    }

    @Test
    void aFailedWriteClosesTheConnection() throws Exception {
        SendBuffer buffer = startedBuffer();
        Connection connection = connect(buffer);
        buffer.send(new byte[600], 1);
        run();
        buffer.send(new byte[600], 1);

        socket.failOne();
        run();

        assertThat(channel.isOpen()).isFalse();
        assertThat(connection.cause()).hasMessage("broken pipe");
        assertThat(buffer.statistics()).returns(2L, NettyFfStatistics::failed).returns(0L, NettyFfStatistics::pending);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aLossReleasesAndRejectsAllWaitingSenders() throws Exception {
        SendBuffer buffer = connectedBuffer();
        buffer.send(new byte[4000], 1);
        run();
        List<CompletableFuture<Void>> senders = Stream.generate(() -> sendLater(buffer, new byte[1000]))
                .limit(3)
                .toList();
        await().until(() -> buffer.waiting() == 3);

        channel.close();
        buffer.beginConnecting();

        for (CompletableFuture<Void> sender : senders) {
            assertThat(sender)
                    .failsWithin(Duration.ofSeconds(5))
                    .withThrowableThat()
                    .withMessageContaining("connection was lost");
        }
        assertInvariant(buffer.statistics());
        assertThat(buffer.statistics().rejected()).isEqualTo(3);
    }

    @Test
    void stoppingRejectsWaitingSendersAndKeepsAcceptedMessages() throws Exception {
        SendBuffer buffer = connectedBuffer();
        buffer.send(new byte[4000], 1);
        run();
        CompletableFuture<Void> sender = sendLater(buffer, new byte[1000]);
        await().until(() -> buffer.waiting() == 1);

        buffer.stop();

        assertThat(sender)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withMessageContaining("is stopped");
        assertThat(buffer.drain(0)).isFalse();
        socket.open().flush(null);
        run();
        assertThat(buffer.drain(0)).isTrue();
        assertThat(buffer.abandon(PEER).messages()).isZero();
        assertThat(socket.taken()).hasSize(4000);
    }

    @Test
    void abandoningFailsEverythingPending() throws Exception {
        SendBuffer buffer = connectedBuffer();
        buffer.send(new byte[2000], 1);
        run();
        buffer.send(new byte[10], 2);
        buffer.stop();

        LostMessages lost = buffer.abandon(PEER);
        channel.close();

        assertThat(lost.messages()).isEqualTo(3);
        assertThat(buffer.statistics()).returns(3L, NettyFfStatistics::failed).returns(0L, NettyFfStatistics::pending);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aConnectionAfterAbandoningIsNotUsed() throws Exception {
        SendBuffer buffer = startedBuffer();
        buffer.send(text("x"), 1);

        buffer.abandon(PEER);

        assertThat(buffer.connected(new Connection(buffer, channel).scheduler()))
                .isFalse();
    }
}
