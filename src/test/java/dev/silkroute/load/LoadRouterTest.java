package dev.silkroute.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.fixture.ParsedRecords;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.session.Anomaly;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that synthetic sessions are reproducible and valid, and that decoding them yields the expected routes. */
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
        return TestLoad.of(seed, 8, prefixes)
                .routers(2)
                .families(families)
                .views(views)
                .paths(paths)
                .changes(changes)
                .down(down)
                .profile();
    }

    @Test
    void givenTheSameSeedThenTheBytesAreTheSameAndOtherwiseDiffer() {
        LoadProfile one = profile(1, 100, LoadProfile.FAMILIES, ALL, 0, 200, true);
        byte[] stream = DecodedLoad.bytes(new LoadPlan(one).router(0));
        assertThat(DecodedLoad.bytes(new LoadPlan(one).router(0))).isEqualTo(stream);
        assertThat(DecodedLoad.bytes(new LoadPlan(one).router(1))).isNotEqualTo(stream);
        LoadProfile two = profile(2, 100, LoadProfile.FAMILIES, ALL, 0, 200, true);
        assertThat(DecodedLoad.bytes(new LoadPlan(two).router(0))).isNotEqualTo(stream);
    }

    /** A version and a seed identify a load. A change of the bytes requires a new digest here and a CHANGELOG entry. */
    @Test
    void givenThisVersionThenTheBytesMatchTheDigest() throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (int paths : new int[] {0, 2}) {
            digest.update(DecodedLoad.bytes(
                    new LoadPlan(profile(1, 100, LoadProfile.FAMILIES, ALL, paths, 500, true)).router(1)));
        }
        assertThat(HexFormat.of().formatHex(digest.digest(), 0, 8)).isEqualTo("a8d92959f1276643");
    }

    @Test
    void givenEnoughRoutesThenEveryAttributeOccurs() {
        LoadRouter router = new LoadPlan(profile(4, 1000, LoadProfile.FAMILIES, ALL, 0, 0, false)).router(0);
        Set<String> keys = new TreeSet<>();
        Set<String> paths = new HashSet<>();
        Set<String> origins = new TreeSet<>();
        Set<String> extended = new TreeSet<>();
        ExpectedTable.of(router)
                .forEach(table -> table.forEach(route -> {
                    keys.addAll(route.attributes().keySet());
                    paths.add(route.asPath());
                    origins.add(route.origin());
                    route.extCommunities().forEach(text -> extended.add(text.replaceFirst(":.*", "")));
                }));
        assertThat(keys)
                .containsExactlyInAnyOrder(
                        "origin",
                        "as_path",
                        "family",
                        "next_hop",
                        "next_hop_link_local",
                        "next_hop_raw",
                        "med",
                        "local_pref",
                        "atomic_aggregate",
                        "aggregator",
                        "communities",
                        "originator_id",
                        "cluster_list",
                        "ext_communities",
                        "as4_path",
                        "as4_aggregator",
                        "pmsi_tunnel",
                        "tunnel_encapsulation",
                        "ipv6_ext_communities",
                        "aigp",
                        "large_communities",
                        "otc",
                        "prefix_sid",
                        "attr_set",
                        "unknown",
                        "partial");
        assertThat(origins).containsExactly("egp", "igp", "incomplete");
        assertThat(extended).hasSizeGreaterThan(15);
        assertThat(paths)
                .contains("")
                .anyMatch(path -> path.matches(".*\\d \\{\\d+,.*}"))
                .anyMatch(path -> path.startsWith("("))
                .anyMatch(path -> path.matches(".* (\\d+) \\1( .*|$)"));
    }

    @ParameterizedTest
    @MethodSource("families")
    void givenAnNlriThenItsBytesHaveTheExpectedText(int family) {
        NlriSeries nlris = NlriSeries.of(family, new PrefixTable(5, NlriSeries.isIpv6(family), 300));
        ByteSink out = new ByteSink();
        NlriReader reader = new NlriReader();
        for (int i = 0; i < 300; i++) {
            out.reset();
            nlris.write(i, false, out);
            assertThat(NlriText.of(family, out.array(), 0, out.position())).isEqualTo(ExpectedNlri.text(nlris, i));
            reader.read(family, out.array(), 0, out.position(), false, false);
            assertThat(IntStream.range(0, reader.labelCount())
                            .map(reader::label)
                            .boxed())
                    .containsExactlyElementsOf(ExpectedNlri.labels(nlris, i));
        }
    }

    static List<Integer> families() {
        return LoadProfile.FAMILIES;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void givenAllFamiliesAndViewsThenTheDecodedRoutesAreTheExpectedOnes(int paths) {
        LoadRouter router = new LoadPlan(profile(7, 150, LoadProfile.FAMILIES, ALL, paths, 4000, false)).router(1);
        DecodedBatch decoded = DecodedLoad.decode(DecodedLoad.bytes(router));
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
        for (DecodeOutcome.Kind kind : DecodeOutcome.Kind.values()) {
            assertThat(decoded.outcomes(kind)).as(kind.text()).isZero();
        }
        for (Anomaly anomaly : Anomaly.values()) {
            assertThat(decoded.anomalies(anomaly)).as(anomaly.text()).isZero();
        }
        assertThat(decoded.router()).isEqualTo("load-0002");
        Map<EventKind, Integer> events = new TreeMap<>();
        Map<String, String> expected = DecodedLoad.expected(router);
        assertThat(DecodedLoad.differences(DecodedLoad.state(decoded, events), expected))
                .isEmpty();
        assertThat(expected).hasSizeGreaterThan(20_000);
        int ribs = (4 * 8 + 1) * LoadProfile.FAMILIES.size();
        assertThat(events)
                .containsEntry(EventKind.ANNOUNCE, (int) router.announced())
                .containsEntry(EventKind.WITHDRAW, (int) router.withdrawn())
                .containsEntry(EventKind.END_OF_RIB, ribs)
                .containsEntry(EventKind.PEER_UP, 9);
        assertThat(router.changes()).isEqualTo(2000);
        assertThat(router.announced()).isGreaterThan(ribs * 150L * Math.max(paths, 1) + 1000);
        assertThat(router.withdrawn()).isBetween(500L, 1100L);
    }

    @ParameterizedTest
    @EnumSource(Churn.class)
    void givenAnyChurnThenTheDecodedRoutesAreTheExpectedOnes(Churn churn) {
        List<Integer> families = List.of(Family.IPV4_UNICAST, Family.VPNV6);
        LoadRouter router = TestLoad.of(9, 2, 100)
                .families(families)
                .views(ALL)
                .churn(churn, 2700)
                .router();
        DecodedBatch decoded = DecodedLoad.decode(DecodedLoad.bytes(router));
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
        Map<EventKind, Integer> events = new TreeMap<>();
        assertThat(DecodedLoad.differences(DecodedLoad.state(decoded, events), DecodedLoad.expected(router)))
                .isEmpty();
        assertThat(events).containsEntry(EventKind.ANNOUNCE, (int) router.announced());
        // 9 tables × 2 families × 100 routes: the wave has withdrawn all 1800 and announced 900 again.
        long left = router.tableSizes().stream().mapToLong(TableSize::routes).sum();
        switch (churn) {
            case STEADY, ALTERNATE -> assertThat(left).isBetween(1200L, 1799L);
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
    void givenAlternateThenARouteMostlyReturnsToOneOfEightVersions() {
        KeyedRandom random = new KeyedRandom().seek(1, 2, 3, 4);
        int current = RouteVersions.INITIAL;
        int returns = 0;
        for (int unused = 100; unused < 10_100; unused++) {
            int version = Churn.ALTERNATE.version(random, current, unused);
            assertThat(version).isNotEqualTo(current);
            if (version != unused) {
                assertThat(version).isBetween(1, 8);
                returns++;
            }
            current = version;
        }
        assertThat(returns).isBetween(9400, 9600);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void givenMalformedMessagesThenTheyAreHandledAsExpected(int paths) {
        LoadRouter router = TestLoad.of(3, 8, 60)
                .allFamiliesAndViews()
                .paths(paths)
                .changes(3000)
                .malformed(30)
                .router();
        byte[] stream = DecodedLoad.bytes(router);
        DecodedBatch decoded = DecodedLoad.decode(stream);
        MalformedCounts malformed = router.malformedCounts();
        Map<EventKind, Integer> events = new TreeMap<>();
        assertThat(DecodedLoad.differences(DecodedLoad.state(decoded, events, true), DecodedLoad.expected(router)))
                .isEmpty();
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE).stream()
                        .collect(Collectors.groupingBy(row -> row.get("message_type"), Collectors.counting())))
                .isEqualTo(malformed.quarantined().entrySet().stream()
                        .collect(Collectors.toMap(entry -> entry.getKey().text(), Map.Entry::getValue)));
        for (DecodeOutcome.Kind kind : DecodeOutcome.Kind.values()) {
            assertThat(decoded.outcomes(kind))
                    .as(kind.text())
                    .isEqualTo(malformed.outcomes().getOrDefault(kind, 0L));
        }
        for (Anomaly anomaly : Anomaly.values()) {
            assertThat(decoded.anomalies(anomaly)).as(anomaly.text()).isZero();
        }
        assertThat(events)
                .containsEntry(EventKind.ANNOUNCE, (int) router.announced())
                .containsEntry(EventKind.WITHDRAW, (int) router.withdrawn());
        FrameScanner framing = new FrameScanner();
        framing.scan(stream, 0, stream.length);
        assertThat(framing.fault()).isNull();
        assertThat((long) framing.messages()).isEqualTo(router.messages());
        assertThat(malformed.malformed() / (double) (router.messages() - malformed.malformed()))
                .isCloseTo(0.3, within(0.03));
        String last = ParsedRecords.of(decoded, LaneName.STATS).subList(33, 66).toString();
        router.tableSizes().forEach(table -> assertThat(last).contains("value=" + table.routes()));
    }

    /** Sends one message of each kind alone, so that no kind can hide the effect of another. */
    @ParameterizedTest
    @EnumSource(Malformation.class)
    void givenOneMalformedMessageThenItHasItsDeclaredEffect(Malformation kind) {
        LoadProfile profile =
                TestLoad.of(3, 8, 4).allFamiliesAndViews().paths(2).profile();
        LoadPeer peer = new LoadPeer(profile, 0, 6, false);
        LoadRib rib = new LoadRib(
                profile,
                peer,
                RibView.ADJ_RIB_IN_POST_POLICY,
                NlriSeries.of(Family.IPV4_UNICAST, new PrefixTable(3, false, 4)),
                new UpdateWriter(new GeneratedAttributes(3)),
                new MalformedCounter());
        ByteSink out = new ByteSink();
        BmpEncoder.initiation("load", "", out);
        peer.up(out);
        while (rib.dump(out) > 0) {}
        rib.malformed(kind, 5, Integer.MIN_VALUE, out);
        DecodedBatch decoded = DecodedLoad.decode(out.toByteArray());
        Map<EventKind, Integer> events = new TreeMap<>();
        DecodedLoad.state(decoded, events, true);
        boolean quarantined = kind.effect() == Malformation.Effect.QUARANTINED;
        boolean withdrawn = kind.effect() == Malformation.Effect.WITHDRAWN;
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).hasSize(quarantined ? 1 : 0);
        assertThat(events.getOrDefault(EventKind.WITHDRAW, 0)).isEqualTo(withdrawn ? 1 : 0);
        assertThat(events).containsEntry(EventKind.ANNOUNCE, quarantined || withdrawn ? 8 : 9);
        assertThat(rib.routes()).isEqualTo(withdrawn ? 7 : 8);
        DecodeOutcome.Kind outcome = kind.outcome();
        for (DecodeOutcome.Kind each : DecodeOutcome.Kind.values()) {
            assertThat(decoded.outcomes(each)).as(each.text()).isEqualTo(each == outcome ? 1 : 0);
        }
    }

    @Test
    void givenStatisticsThenTheLastOnesContainTheFinalRouteCounts() {
        LoadRouter router =
                new LoadPlan(profile(3, 40, List.of(Family.IPV4_UNICAST, Family.EVPN), ALL, 0, 1000, false)).router(0);
        DecodedBatch decoded = DecodedLoad.decode(DecodedLoad.bytes(router));
        List<Map<String, Object>> reports = ParsedRecords.of(decoded, LaneName.STATS);
        assertThat(reports).hasSize(2 * (4 * 8 + 1));
        String last = reports.subList(33, 66).toString();
        for (TableSize table : router.tableSizes()) {
            assertThat(last).contains("value=" + table.routes());
        }
    }

    @Test
    void givenPeerDownsThenNoRouteIsLeft() {
        LoadRouter router = new LoadPlan(profile(3, 40, List.of(Family.IPV6_UNICAST), ALL, 0, 10, true)).router(0);
        DecodedBatch decoded = DecodedLoad.decode(DecodedLoad.bytes(router));
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
        Map<EventKind, Integer> events = new TreeMap<>();
        assertThat(DecodedLoad.state(decoded, events)).isEmpty();
        assertThat(events).containsEntry(EventKind.PEER_DOWN, 9);
        assertThat(router.tableSizes()).isEmpty();
        assertThat(decoded.anomalies(Anomaly.PEER_DOWN_WITHOUT_PEER_UP)).isZero();
    }

    @Test
    void givenAFullTableThenPrefixesAreDistinctAndLengthsAreAsInTheGlobalTable() {
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

    /** The prefixes of a length are marked from bit 2 to the power of the length on. */
    @Test
    void givenTheMostIpv4PrefixesThenNoneOccursTwice() {
        PrefixTable table = new PrefixTable(1, false, LoadProfile.MAX_PREFIXES);
        BitSet seen = new BitSet(1 << 25);
        for (int i = 0; i < LoadProfile.MAX_PREFIXES; i++) {
            int length = table.length(i);
            seen.set((1 << length) + (int) (table.address(i) >>> 32 - length));
        }
        assertThat(seen.cardinality()).isEqualTo(LoadProfile.MAX_PREFIXES);
    }

    @Test
    void givenANumberOfPrefixesForEachFamilyThenEachTableHasItsOwn() {
        TestLoad load = TestLoad.of(5, 2, 1)
                .families(Family.IPV6_UNICAST, Family.IPV4_UNICAST, Family.EVPN, Family.VPNV4)
                .prefixes(70, 300, 20, 150);
        assertThat(load.profile().initialRoutes()).isEqualTo(2 * 540);
        LoadRouter unchanged = load.router();
        DecodedLoad.bytes(unchanged);
        assertThat(unchanged.tableSizes())
                .extracting(TableSize::routes)
                .containsExactly(70, 300, 20, 150, 70, 300, 20, 150);
        LoadRouter router = load.changes(2000).router();
        DecodedBatch decoded = DecodedLoad.decode(DecodedLoad.bytes(router));
        assertThat(DecodedLoad.differences(DecodedLoad.state(decoded, new TreeMap<>()), DecodedLoad.expected(router)))
                .isEmpty();
        assertThat(router.withdrawn()).isPositive();
    }

    @Test
    void givenMoreDrawsThanShortPrefixesThenLongerOnesAreUsed() {
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
    void givenAnInvalidProfileThenItIsRejected() {
        assertThatThrownBy(() -> profile(1, 0, LoadProfile.FAMILIES, ALL, 0, 0, false))
                .hasMessage("prefixes must be from 1 to 16000000, not 0");
        assertThatThrownBy(() -> profile(1, 1, List.of(Family.BGP_LS), ALL, 0, 0, false))
                .isInstanceOf(IllegalArgumentException.class);
        TestLoad ofThreeFamilies = TestLoad.of(1, 1, 1)
                .families(Family.IPV4_UNICAST, Family.IPV6_UNICAST, Family.EVPN)
                .prefixes(10, 20);
        assertThatThrownBy(ofThreeFamilies::profile)
                .hasMessage("2 numbers of prefixes for 3 families: give one for each family, or one for all");
    }
}
