package dev.silkroute.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.silkroute.bgp.Outcome;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.Lane;
import dev.silkroute.session.Oddity;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Synthetic sessions: the same for the same seed, without fault to our own decoder, and what it decodes is what the generator expects. */
class LoadRouterTest {
    private static final Set<RibView> ALL = EnumSet.allOf(RibView.class);

    private static LoadProfile profile(
            long seed,
            int prefixes,
            List<Integer> families,
            Set<RibView> views,
            int paths,
            long changes,
            boolean down) {
        return new LoadProfile(seed, 2, 5, prefixes, families, views, paths, Churn.STEADY, changes, down);
    }

    @Test
    void givenTheSameSeedThenTheSameBytesAndElseOthers() {
        LoadProfile one = profile(1, 100, LoadProfile.FAMILIES, ALL, 0, 200, true);
        byte[] stream = Held.bytes(new LoadPlan(one).router(0));
        assertThat(Held.bytes(new LoadPlan(one).router(0))).isEqualTo(stream);
        assertThat(Held.bytes(new LoadPlan(one).router(1))).isNotEqualTo(stream);
        LoadProfile two = profile(2, 100, LoadProfile.FAMILIES, ALL, 0, 200, true);
        assertThat(Held.bytes(new LoadPlan(two).router(0))).isNotEqualTo(stream);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void givenAllFamiliesViewsAndChurnThenWhatIsDecodedIsWhatIsExpected(int paths) {
        LoadRouter router = new LoadPlan(profile(7, 150, LoadProfile.FAMILIES, ALL, paths, 4000, false)).router(1);
        DecodedBatch decoded = Held.decode(Held.bytes(router));
        assertThat(decoded.records(Lane.QUARANTINE)).isEmpty();
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            assertThat(decoded.outcomes(kind)).as(kind.text()).isZero();
        }
        for (Oddity oddity : Oddity.values()) {
            assertThat(decoded.oddities(oddity)).as(oddity.text()).isZero();
        }
        assertThat(decoded.router()).isEqualTo("load-0002");
        Map<EventKind, Integer> events = new TreeMap<>();
        assertThat(Held.state(decoded, events)).isEqualTo(Held.expected(router)).hasSizeGreaterThan(20_000);
        int ribs = (4 * 5 + 1) * LoadProfile.FAMILIES.size();
        assertThat(events)
                .containsEntry(EventKind.ANNOUNCE, (int) router.announced())
                .containsEntry(EventKind.WITHDRAW, (int) router.withdrawn())
                .containsEntry(EventKind.END_OF_RIB, ribs)
                .containsEntry(EventKind.PEER_UP, 6);
        assertThat(router.changed()).isEqualTo(2000);
        assertThat(router.announced()).isGreaterThan(ribs * 150L * Math.max(paths, 1) + 1000);
        assertThat(router.withdrawn()).isBetween(500L, 1100L);
    }

    @ParameterizedTest
    @EnumSource(Churn.class)
    void givenAnyChurnThenWhatIsDecodedIsWhatIsExpected(Churn churn) {
        List<Integer> families = List.of(Family.IPV4_UNICAST, Family.VPNV6);
        LoadProfile profile = new LoadProfile(9, 1, 2, 100, families, ALL, 0, churn, 2700, false);
        LoadRouter router = new LoadPlan(profile).router(0);
        DecodedBatch decoded = Held.decode(Held.bytes(router));
        assertThat(decoded.records(Lane.QUARANTINE)).isEmpty();
        Map<EventKind, Integer> events = new TreeMap<>();
        assertThat(Held.state(decoded, events)).isEqualTo(Held.expected(router));
        assertThat(events).containsEntry(EventKind.ANNOUNCE, (int) router.announced());
        // 9 tables of 2 families with 100 routes each: the wave has gone out and half-way back.
        long left = router.expected().stream().mapToLong(ExpectedRib::routes).sum();
        switch (churn) {
            case STEADY -> assertThat(left).isBetween(1200L, 1799L);
            case FLAP -> {
                assertThat(left).isEqualTo(1800);
                assertThat(router.withdrawn()).isEqualTo(2700);
            }
            case REDUMP -> {
                assertThat(left).isEqualTo(1800);
                assertThat(router.announced()).isEqualTo(1800 + 2700);
                assertThat(router.withdrawn()).isZero();
            }
            case WAVE -> {
                assertThat(left).isEqualTo(900);
                assertThat(router.withdrawn()).isEqualTo(1800);
            }
        }
    }

    @Test
    void givenStatisticsThenTheirLastSayWhatIsThere() {
        LoadRouter router =
                new LoadPlan(profile(3, 40, List.of(Family.IPV4_UNICAST, Family.EVPN), ALL, 0, 1000, false)).router(0);
        DecodedBatch decoded = Held.decode(Held.bytes(router));
        List<Map<String, Object>> reports = decoded.records(Lane.STATS);
        assertThat(reports).hasSize(2 * (4 * 5 + 1));
        String last = reports.subList(21, 42).toString();
        for (ExpectedRib rib : router.expected()) {
            assertThat(last).contains("value=" + rib.routes());
        }
    }

    @Test
    void givenADownThenNothingIsLeft() {
        LoadRouter router = new LoadPlan(profile(3, 40, List.of(Family.IPV6_UNICAST), ALL, 0, 10, true)).router(0);
        DecodedBatch decoded = Held.decode(Held.bytes(router));
        assertThat(decoded.records(Lane.QUARANTINE)).isEmpty();
        Map<EventKind, Integer> events = new TreeMap<>();
        assertThat(Held.state(decoded, events)).isEmpty();
        assertThat(events).containsEntry(EventKind.PEER_DOWN, 6);
        assertThat(router.expected()).isEmpty();
        assertThat(decoded.oddities(Oddity.PEER_DOWN_WITHOUT_PEER_UP)).isZero();
    }

    @Test
    void givenAFullTableThenNoPrefixIsTwiceAndLengthsAreThoseOfTheInternet() {
        int count = 300_000;
        for (boolean ipv6 : List.of(false, true)) {
            PrefixTable table = new PrefixTable(11, ipv6, count);
            Set<Long> seen = new HashSet<>();
            int[] lengths = new int[65];
            for (int i = 0; i < count; i++) {
                int length = table.length(i);
                lengths[length]++;
                long masked = ipv6
                        ? Addresses.maskHigh(table.address(i), length)
                        : Integer.toUnsignedLong(Addresses.maskIpv4((int) table.address(i), length));
                assertThat(masked).isEqualTo(table.address(i));
                seen.add(table.address(i) * 67 + length);
            }
            assertThat(seen).hasSize(count);
            double share = lengths[ipv6 ? 48 : 24] / (double) count;
            assertThat(share).isCloseTo(ipv6 ? 0.5 : 0.62, within(0.02));
        }
    }

    @Test
    void givenAnUnlimitedSpaceOfFewShortPrefixesThenLongerOnesAreTaken() {
        PrefixTable table = new PrefixTable(1, false, 2_000_000);
        long shortest = 0;
        for (int i = 0; i < 2_000_000; i++) {
            shortest += table.length(i) == 8 ? 1 : 0;
            long first = table.address(i) >>> 24;
            assertThat(first > 0 && first < 224 && first != 127).isTrue();
        }
        assertThat(shortest).isBetween(1L, 222L);
    }

    @Test
    void givenAProfileOutOfBoundsThenItIsRefused() {
        assertThatThrownBy(() -> profile(1, 0, LoadProfile.FAMILIES, ALL, 0, 0, false))
                .hasMessage("prefixes must be from 1 to 4000000, not 0");
        assertThatThrownBy(() -> profile(1, 1, List.of(Family.BGP_LS), ALL, 0, 0, false))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
