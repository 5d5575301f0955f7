package dev.silkroute.collector.turns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.collector.turns.NameClaims.Entry;
import dev.silkroute.session.identity.RouterIdentity;
import dev.silkroute.session.identity.RouterIdentity.Source;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The owners of names, with several collectors that share a log. */
class NameClaimsTest {
    private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress OTHER = InetAddress.ofLiteral("192.0.2.2");
    private static final long NEVER = Long.MAX_VALUE;

    private final List<Appended> log = new ArrayList<>();
    private final List<NameClaims> collectors = new ArrayList<>();
    private int applied;

    private record Appended(String name, @Nullable Entry entry) {}

    private NameClaims collector(long expiry) {
        NameClaims collector = new NameClaims((name, entry) -> log.add(new Appended(name, entry)), expiry);
        replay(collector);
        collectors.add(collector);
        return collector;
    }

    private void replay(NameClaims collector) {
        for (int i = 0; i < log.size(); i++) {
            collector.apply(log.get(i).name, log.get(i).entry, i);
        }
        collector.loaded();
    }

    /** Delivers the new records to all collectors. */
    private void deliver() {
        while (applied < log.size()) {
            Appended record = log.get(applied);
            for (NameClaims collector : collectors) {
                collector.apply(record.name, record.entry, applied);
            }
            applied++;
        }
    }

    private static CompletableFuture<Boolean> claim(NameClaims collector, InetAddress address) {
        return collector.claim(new RouterIdentity("edge", Source.SYS_NAME), address);
    }

    private Boolean isAllowed(NameClaims collector, InetAddress address) {
        CompletableFuture<Boolean> decision = claim(collector, address);
        deliver();
        return decision.getNow(null);
    }

    private void tick(NameClaims collector, InetAddress... open) {
        collector.tick(List.of(open).stream()
                .map(address -> Map.entry("edge", address))
                .iterator());
        deliver();
    }

    @Test
    void givenANameThatAnAddressHasUsedThenNoOtherAddressGetsItFromAnyCollector() {
        NameClaims first = collector(NEVER);
        NameClaims second = collector(NEVER);
        assertThat(isAllowed(first, ONE)).isTrue();
        assertThat(isAllowed(second, OTHER)).isFalse();
        assertThat(isAllowed(second, ONE)).isTrue();
        // Also after a restart
        assertThat(isAllowed(collector(NEVER), OTHER)).isFalse();
    }

    @Test
    void givenTwoClaimsAtTheSameTimeThenOneWinsAlsoAfterTheLogWasCompacted() {
        NameClaims first = collector(NEVER);
        NameClaims second = collector(NEVER);
        CompletableFuture<Boolean> one = claim(first, ONE);
        CompletableFuture<Boolean> other = claim(first, OTHER);
        CompletableFuture<Boolean> third = claim(second, OTHER);
        assertThat(List.of(one, other, third)).noneMatch(CompletableFuture::isDone);
        deliver();
        assertThat(one).isCompletedWithValue(true);
        assertThat(other).isCompletedWithValue(false);
        assertThat(third).isCompletedWithValue(false);
        Map<String, Appended> newest = new LinkedHashMap<>();
        log.forEach(record -> newest.put(record.name, record));
        NameClaims later = new NameClaims((_, _) -> {}, NEVER);
        newest.values().forEach(record -> later.apply(record.name, record.entry, 99));
        later.loaded();
        assertThat(claim(later, ONE)).isCompletedWithValue(true);
        assertThat(claim(later, OTHER)).isCompletedWithValue(false);
    }

    @Test
    void givenAnOwnerWithoutSessionForLongThenTheNameIsFreeAndOtherwiseNot() {
        NameClaims first = collector(2);
        NameClaims second = collector(2);
        assertThat(isAllowed(first, ONE)).isTrue();
        for (int i = 0; i < 10; i++) {
            tick(first, ONE);
            tick(second);
        }
        assertThat(isAllowed(second, OTHER))
                .as("its session is open at the other collector")
                .isFalse();
        Collections.nCopies(3, second).forEach(this::tick);
        assertThat(isAllowed(second, OTHER)).isTrue();
        assertThat(isAllowed(first, ONE)).as("it belongs to the other one now").isFalse();
    }

    @Test
    void givenAnOwnerThatIsConfirmedWhileItsNameIsTakenOverThenItKeepsIt() {
        NameClaims first = collector(1);
        NameClaims second = collector(1);
        assertThat(isAllowed(first, ONE)).isTrue();
        tick(second);
        tick(second);
        first.tick(List.of(Map.entry("edge", ONE)).iterator());
        assertThat(isAllowed(second, OTHER)).isFalse();
        assertThat(isAllowed(first, ONE)).isTrue();
    }

    @Test
    void givenANameThatWasReleasedThenTheNextAddressOwnsItAlthoughTheOldSessionIsOpen() {
        NameClaims collector = collector(NEVER);
        assertThat(isAllowed(collector, ONE)).isTrue();
        log.add(new Appended("edge", null));
        deliver();
        tick(collector, ONE);
        assertThat(isAllowed(collector, OTHER)).isTrue();
        assertThat(isAllowed(collector, ONE)).isFalse();
    }

    @Test
    void givenAnAssuredNameThenItsRouterMayMoveAndNobodyCanClaimIt() {
        NameClaims collector = collector(1);
        assertThat(isAllowed(collector, OTHER)).isTrue();
        for (InetAddress address : List.of(ONE, OTHER)) {
            assertThat(collector.claim(RouterIdentity.certified("edge"), address))
                    .isCompletedWithValue(true);
            assertThat(collector.claim(RouterIdentity.configured("edge"), address))
                    .isCompletedWithValue(true);
        }
        deliver();
        Collections.nCopies(5, collector).forEach(this::tick);
        assertThat(isAllowed(collector, OTHER)).isFalse();
        assertThat(isAllowed(collector, ONE)).isFalse();
    }

    @Test
    void givenClaimsBeforeTheLogIsReadThenTheyWait() {
        assertThat(isAllowed(collector(NEVER), ONE)).isTrue();
        NameClaims starting = new NameClaims((name, entry) -> log.add(new Appended(name, entry)), NEVER);
        CompletableFuture<Boolean> early = claim(starting, OTHER);
        assertThat(early).isNotDone();
        replay(starting);
        assertThat(early).isCompletedWithValue(false);
    }
}
