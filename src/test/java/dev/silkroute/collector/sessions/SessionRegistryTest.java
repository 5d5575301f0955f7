package dev.silkroute.collector.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Limits of sessions, and of what the sessions of one address receive. */
class SessionRegistryTest {
    private static final InetAddress A = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress B = InetAddress.ofLiteral("192.0.2.2");
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static AddressQuota quota(QuotaLimits limits) {
        return Objects.requireNonNull(new SessionRegistry(10, limits, Duration.ZERO).reserve(A));
    }

    @Test
    void givenAnAddressWithAllOfItsSessionsThenFurtherOnesAreRejectedAndOthersAdmitted() {
        SessionRegistry sessions = new SessionRegistry(3, new QuotaLimits(2, 0, 0, 0, 0), Duration.ZERO);
        assertThat(sessions.reserve(A)).isSameAs(sessions.reserve(A));
        assertThat(sessions.reserve(A)).isNull();
        assertThat(sessions.exceeded(Quota.SESSIONS)).isEqualTo(1);
        assertThat(sessions.reserve(B)).isNotNull();
        assertThat(sessions.reserve(B)).as("the limit of all sessions").isNull();
        assertThat(sessions.exceeded(Quota.SESSIONS)).isEqualTo(1);
        assertThat(sessions.rejected()).isEqualTo(2);
        sessions.release(A);
        assertThat(sessions.reserve(A)).isNotNull();
        assertThat(sessions.addresses()).isEqualTo(2);
    }

    @Test
    void givenAnAddressWithoutSessionsThenNothingOfItIsKept() {
        SessionRegistry sessions = new SessionRegistry(3);
        sessions.reserve(A);
        sessions.release(A);
        assertThat(sessions.addresses()).isZero();
    }

    @Test
    void givenMoreThanARateAllowsThenTheConnectionWaitsUntilTheMeanIsKept() {
        AddressQuota quota = quota(new QuotaLimits(0, 100, 1000, 0, 0));
        long now = System.nanoTime();
        assertThat(quota.received(1000, 1, 0, now))
                .as("a second's bytes at once")
                .isZero();
        assertThat(quota.received(500, 1, 0, now)).isBetween(SECOND * 499 / 1000, SECOND / 2);
        assertThat(quota.received(0, 0, 0, now + SECOND)).isZero();
        assertThat(quota.received(0, 300, 0, now + SECOND)).as("messages").isBetween(SECOND, 3 * SECOND);
    }

    @Test
    void givenManyPeersThatComeUpAtOnceThenTenSecondsOfThemAreAdmitted() {
        AddressQuota quota = quota(new QuotaLimits(0, 0, 0, 10, 0));
        long now = System.nanoTime();
        assertThat(quota.received(10_000, 100, 100, now)).isZero();
        assertThat(quota.received(1_000, 10, 10, now)).isBetween(SECOND * 9 / 10, SECOND);
    }

    @Test
    void givenMoreRoutesThanAllowedThenTheConnectionWaitsAndTheOperatorIsNotified() {
        SessionRegistry sessions = new SessionRegistry(10, new QuotaLimits(0, 0, 0, 0, 100), Duration.ZERO);
        AddressQuota quota = Objects.requireNonNull(sessions.reserve(A));
        sessions.reserve(B);
        long now = System.nanoTime();
        assertThat(quota.decoded(1000, now)).as("ten seconds of them at once").isZero();
        assertThat(sessions.notices()).isEmpty();
        assertThat(quota.decoded(50, now)).isBetween(SECOND * 49 / 100, SECOND / 2);
        assertThat(quota.decoded(0, now)).as("asked again").isPositive();
        assertThat(sessions.exceeded(Quota.ROUTES)).isEqualTo(2);
        assertThat(sessions.notices())
                .containsExactly("silkroute.quota.routes-per-second (100) exceeded in the last minute by 192.0.2.1");
        assertThat(quota.decoded(0, now + SECOND)).isZero();
    }

    @Test
    void givenManyWaitingSessionsThenTheAddressOpensNoMore() {
        SessionRegistry sessions = new SessionRegistry(1000);
        AddressQuota quota = Objects.requireNonNull(sessions.reserve(A));
        assertThat(sessions.reserve(B)).isNotNull();
        for (int i = 0; i < AddressQuota.MAX_WAITING; i++) {
            assertThat(sessions.reserve(A)).isNotNull();
            sessions.waits(quota, true);
        }
        assertThat(sessions.reserve(A)).isNull();
        assertThat(sessions.reserve(B)).isNotNull();
        assertThat(sessions.notices()).hasSize(1);
        sessions.waits(quota, false);
        assertThat(sessions.reserve(A)).isNotNull();
        assertThat(sessions.waits()).isEqualTo(AddressQuota.MAX_WAITING);
    }

    @Test
    void givenManyWaitingSessionsOfTheOnlyAddressThenItOpensMore() {
        SessionRegistry sessions = new SessionRegistry(1000);
        AddressQuota quota = Objects.requireNonNull(sessions.reserve(A));
        for (int i = 0; i < AddressQuota.MAX_WAITING; i++) {
            sessions.waits(quota, true);
        }
        assertThat(sessions.reserve(A)).isNotNull();
        assertThat(sessions.reserve(B)).isNotNull();
        assertThat(sessions.reserve(A)).as("it is not the only one any longer").isNull();
    }
}
