package dev.silkroute.collector.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.turns.SessionTurn;
import dev.silkroute.collector.turns.TurnQueue;
import dev.silkroute.net.ByteSink;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterValues;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The names of routers that have the same name of their own. */
class RouterNamesTest extends FrameHandlerHarness {
    private static List<String> routers(EmbeddedChannel channel) {
        List<String> routers = new ArrayList<>();
        for (FrameBatch batch : drain(channel)) {
            routers.add(batch.session().router());
        }
        return routers;
    }

    @Test
    void givenAnOpenSessionWhenAnotherRouterHasItsNameThenThatOneGetsItsAddressAppended() {
        EmbeddedChannel first = connection(1);
        EmbeddedChannel second = connection(2, "192.0.2.2");
        write(second, messages(0, 1));
        assertThat(second.inboundMessages()).isEmpty();
        pass(second, Duration.ofMillis(SessionTurn.GRACE_MILLIS));
        assertThat(routers(second)).containsOnly("edge@192.0.2.2");
        assertThat(routers(first)).containsOnly("edge");
        // When it reconnects, then its own previous connection is superseded, and no other
        EmbeddedChannel third = connection(3, "192.0.2.2");
        pass(third, Duration.ofMillis(SessionTurn.GRACE_MILLIS));
        second.runPendingTasks();
        pass(second, Duration.ofMinutes(1));
        drain(second);
        third.runPendingTasks();
        assertThat(routers(third)).containsOnly("edge@192.0.2.2");
        assertThat(second.isOpen()).isFalse();
        assertThat(first.isOpen()).isTrue();
    }

    @Test
    void givenARouterThatMovesToAnotherAddressThenItKeepsItsName() {
        EmbeddedChannel first = connection(1);
        drain(first);
        EmbeddedChannel second = connection(2, "192.0.2.2");
        pass(second, Duration.ofMillis(SessionTurn.GRACE_MILLIS - 1));
        assertThat(second.inboundMessages()).isEmpty();
        first.close();
        drain(first);
        pass(second, Duration.ofMillis(1));
        assertThat(routers(second)).containsOnly("edge");
    }

    @Test
    void givenARouterThatDisconnectsWhileItsNameIsTakenThenItsMessagesAreSentNevertheless() {
        EmbeddedChannel first = connection(1);
        EmbeddedChannel second = connection(2, "192.0.2.2");
        write(second, messages(0, 1));
        // Not the channel's own close(), which drops scheduled tasks
        second.pipeline().fireChannelInactive();
        assertThat(second.inboundMessages()).isEmpty();
        pass(second, Duration.ofMillis(SessionTurn.GRACE_MILLIS));
        assertThat(routers(second)).containsOnly("edge@192.0.2.2");
        assertThat(sessions.count()).isEqualTo(1);
        assertThat(first.isOpen()).isTrue();
    }

    @Test
    void givenADisambiguatedNameThatIsTakenThenTheAddressIsAppendedAgain() {
        connection(1);
        connection(2, "192.0.2.2", "edge@192.0.2.3", new MemoryBudget(1 << 20, 1 << 18));
        EmbeddedChannel third = connection(3, "192.0.2.3");
        pass(third, Duration.ofMillis(SessionTurn.GRACE_MILLIS));
        assertThat(routers(third)).containsOnly("edge@192.0.2.3@192.0.2.3");
    }

    @Test
    void givenANameConfiguredForTwoAddressesThenBothHaveIt() {
        RouterValues names = RouterValues.parse("192.0.2.0/24=edge");
        for (int i = 1; i <= 2; i++) {
            InetAddress from = InetAddress.ofLiteral("192.0.2." + i);
            EmbeddedChannel channel = open(LIMITS, new MemoryBudget(1 << 20, 1 << 18), names, i, from);
            write(channel, messages(0, 1));
            assertThat(routers(channel)).containsExactly("edge");
        }
    }

    @Test
    void givenANameConfiguredForAnotherAddressThenARouterWithThisNameGetsAnother() {
        RouterValues names = RouterValues.parse("192.0.2.1=edge");
        List<String> routers = new ArrayList<>();
        for (int i = 2; i >= 1; i--) {
            InetAddress from = InetAddress.ofLiteral("192.0.2." + i);
            EmbeddedChannel channel = open(LIMITS, new MemoryBudget(1 << 20, 1 << 18), names, i, from);
            ByteSink initiation = new ByteSink();
            BmpEncoder.initiation("edge", "a router", initiation);
            write(channel, initiation.toByteArray());
            pass(channel, Duration.ofMillis(SessionTurn.GRACE_MILLIS));
            routers.addAll(routers(channel));
        }
        assertThat(routers).containsExactly("edge@192.0.2.2", "edge");
    }

    @Test
    void givenRoutersIdentifiedByTheirAddressThenNoneSupersedesAnother() {
        EmbeddedChannel first = connection(1, "192.0.2.1", "192.0.2.1", new MemoryBudget(1 << 20, 1 << 18));
        EmbeddedChannel second = connection(2, "192.0.2.1", "192.0.2.1", new MemoryBudget(1 << 20, 1 << 18));
        first.runPendingTasks();
        pass(first, Duration.ofMinutes(1));
        assertThat(first.isOpen()).isTrue();
        assertThat(second.inboundMessages()).hasSize(1);
    }

    /** The owner's connection is closed and acknowledged, so that no open session has the name. */
    @Test
    void givenANameThatBelongsToAnotherAddressThenARouterGetsItsAddressAppendedAlthoughNoSessionHasTheName() {
        turns = new TurnQueue((identity, address) -> CompletableFuture.completedFuture(
                !identity.name().equals("edge") || address.getHostAddress().equals("192.0.2.1")));
        EmbeddedChannel owner = connection(1);
        assertThat(routers(owner)).containsOnly("edge");
        owner.close();
        drain(owner);
        EmbeddedChannel other = connection(2, "192.0.2.2");
        pass(other, Duration.ofMillis(SessionTurn.GRACE_MILLIS));
        assertThat(routers(other)).containsOnly("edge@192.0.2.2");
        assertThat(routers(connection(3))).containsOnly("edge");
    }

    @Test
    void givenANameWhoseOwnerIsNotKnownYetThenTheSessionWaitsAndLosesNothing() {
        CompletableFuture<Boolean> decision = new CompletableFuture<>();
        turns = new TurnQueue((_, _) -> decision);
        EmbeddedChannel channel = connection(1);
        write(channel, messages(0, 2));
        channel.runPendingTasks();
        assertThat(channel.inboundMessages()).isEmpty();
        decision.complete(true);
        channel.runPendingTasks();
        List<FrameBatch> batches = drain(channel);
        assertThat(batches)
                .allSatisfy(batch -> assertThat(batch.session().router()).isEqualTo("edge"));
        assertThat(bytes(batches)).endsWith(messages(0, 2));
        assertThat(sessions.count()).isEqualTo(1);
    }

    @Test
    void givenARouterThatClaimsTheNameOfACertificateThenTheCertifiedRouterReplacesIt() {
        EmbeddedChannel claimant = connection(1, "192.0.2.2");
        assertThat(routers(claimant)).containsOnly("edge");
        InetAddress address = InetAddress.ofLiteral("192.0.2.1");
        EmbeddedChannel certified = new EmbeddedChannel(new BmpFrameHandler(
                LIMITS,
                new MemoryBudget(1 << 20, 1 << 18),
                sessions,
                turns,
                _ -> new OpenSession(
                        CONFIG, new RouterIdentifier(address, RouterValues.NONE, true, "edge"), 2, address)));
        write(certified, messages(0, 1));
        claimant.runPendingTasks();
        pass(claimant, Duration.ofMinutes(1));
        drain(claimant);
        certified.runPendingTasks();
        assertThat(claimant.isOpen()).isFalse();
        assertThat(routers(certified)).containsOnly("edge");
        // From now on every claim of it is rejected
        EmbeddedChannel again = connection(3, "192.0.2.2");
        pass(again, Duration.ofMillis(SessionTurn.GRACE_MILLIS));
        assertThat(routers(again)).containsOnly("edge@192.0.2.2");
    }
}
