package dev.silkroute.rib;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.digest.ComparedTable;
import dev.silkroute.digest.ComparedTable.State;
import dev.silkroute.digest.DigestKey;
import dev.silkroute.digest.Position;
import dev.silkroute.digest.TableComparison;
import dev.silkroute.digest.TableDigest;
import dev.silkroute.digest.TableName;
import dev.silkroute.digest.TableSelection;
import dev.silkroute.digest.TableSource;
import dev.silkroute.net.Family;
import dev.silkroute.route.PeerEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Comparisons of two RIBs by digests. */
class RibDigestsTest {
    private static final PeerEntry PEER = BatchFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final PeerEntry OTHER_PEER = BatchFeed.peer(2, RibView.LOC_RIB);
    private static final int IPV4 = Family.IPV4_UNICAST;

    private final BatchFeed feed = new BatchFeed();
    private final Rib here = new Rib(new RibConfig(1, 128L << 20, 100, 1000));
    /** Prefixes are distributed to shards, which must not matter. */
    private final Rib there = new Rib(new RibConfig(2, 128L << 20, 100, 1000));

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private void apply(Rib rib, Consumer<BatchFeed> events) {
        feed.begin("r", 1);
        events.accept(feed);
        rib.apply(feed.build());
    }

    private void applyToBoth(Consumer<BatchFeed> events) {
        apply(here, events);
        apply(there, events);
    }

    private static byte[] prefix(int i) {
        return BatchFeed.ipv4(0x10000000 + (i << 8), 24);
    }

    private void announce(Rib rib, int from, int to) {
        for (int i = from; i < to; i += 1000) {
            int begin = i;
            apply(rib, batch -> {
                for (int j = begin; j < Math.min(to, begin + 1000); j++) {
                    batch.announce(PEER, IPV4, null, prefix(j), BatchFeed.attributes(j % 50_000, j % 7));
                }
            });
        }
    }

    private static TableSource source(Rib rib) {
        return new RibDigests(rib, () -> Position.UNKNOWN);
    }

    private List<ComparedTable> compare(TableSource ours, TableSource theirs) throws Exception {
        return new TableComparison(ours, theirs, Runnable::run, Duration.ZERO)
                .compare(TableSelection.ALL, TableSource.MAX_ROUTES)
                .tables();
    }

    private List<ComparedTable> compare() throws Exception {
        return compare(source(here), source(there));
    }

    @Test
    void threeDifferencesAmongManyRoutesAreFound() throws Exception {
        announce(here, 0, 50_000);
        announce(there, 0, 50_000);
        apply(here, batch -> batch.withdraw(PEER, IPV4, null, prefix(5)));
        apply(there, batch -> batch.withdraw(PEER, IPV4, null, prefix(40_000)));
        apply(there, batch -> batch.announce(PEER, IPV4, null, prefix(12_345), BatchFeed.attributes(9, 9)));
        ComparedTable table = compare().getFirst();
        assertThat(table.state()).isEqualTo(State.DIFFERS);
        assertThat(table.differing()).isEqualTo(3);
        assertThat(table.routes())
                .extracting(route -> route.any().nlri()
                        + (route.here() == null ? " there" : "")
                        + (route.there() == null ? " here" : "")
                        + (route.isMoving() ? " moving" : ""))
                .containsExactlyInAnyOrder("16.0.5.0/24 there", "16.156.64.0/24 here", "16.48.57.0/24");
    }

    @Test
    void everyPartOfARouteCounts() throws Exception {
        byte[] attributes = BatchFeed.attributes(1, 1);
        byte[] labeled = BatchFeed.labeled(Family.VPNV4, 7, 1, 0x0A00_0000_0000_0000L, 0, 8, false);
        applyToBoth(batch -> {
            batch.announce(PEER, IPV4, null, prefix(1), attributes);
            batch.announce(PEER, IPV4, 0, prefix(1), attributes);
            batch.announce(PEER, IPV4, 1, prefix(1), attributes, PathMarking.of(2));
            batch.announce(PEER, Family.VPNV4, null, labeled, attributes);
            batch.announce(PEER, Family.EVPN, null, BatchFeed.macRoute(1, 2, 3, 4), attributes);
            batch.announce(PEER, Family.IPV4_FLOWSPEC, null, BatchFeed.flow(0x0A000000), attributes);
            batch.announce(PEER, Family.IPV6_UNICAST, null, BatchFeed.prefix(0x20010DB8L << 32, 0, 48), attributes);
            batch.announce(OTHER_PEER, IPV4, null, prefix(1), attributes);
        });
        assertThat(compare()).hasSize(6).allMatch(table -> table.state() == State.EQUAL);

        expectOneDifference(batch -> batch.announce(PEER, IPV4, null, prefix(1), BatchFeed.attributes(2, 1)));
        expectOneDifference(batch -> batch.announce(PEER, IPV4, 1, prefix(1), attributes, PathMarking.of(3)));
        expectOneDifference(batch -> batch.announce(
                PEER,
                Family.VPNV4,
                null,
                BatchFeed.labeled(Family.VPNV4, 8, 1, 0x0A00_0000_0000_0000L, 0, 8, false),
                attributes));
        expectOneDifference(
                batch -> batch.announce(PEER, Family.EVPN, null, BatchFeed.macRoute(1, 2, 3, 5), attributes));
        expectOneDifference(batch -> batch.withdraw(PEER, IPV4, 0, prefix(1)));
        expectOneDifference(batch -> batch.withdraw(PEER, IPV4, null, prefix(1)));
    }

    /** The RIBs are equal again afterwards. */
    private void expectOneDifference(Consumer<BatchFeed> change) throws Exception {
        apply(here, change);
        assertThat(compare().stream().mapToLong(ComparedTable::differing).sum()).isEqualTo(1);
        apply(there, change);
        assertThat(compare()).allMatch(table -> table.state() == State.EQUAL);
    }

    @Test
    void sessionsAndStalenessDoNotCount() throws Exception {
        applyToBoth(batch -> batch.announce(PEER, IPV4, null, prefix(1), BatchFeed.attributes(1, 1)));
        here.apply(feed.begin("r", 2).build());
        assertThat(compare()).singleElement().returns(State.EQUAL, ComparedTable::state);
    }

    @Test
    void tablesOfOneSideAreReported() throws Exception {
        apply(here, batch -> batch.announce(PEER, IPV4, null, prefix(1), BatchFeed.attributes(1, 1)));
        apply(there, batch -> batch.announce(OTHER_PEER, IPV4, null, prefix(1), BatchFeed.attributes(1, 1)));
        assertThat(compare())
                .extracting(ComparedTable::state)
                .containsExactlyInAnyOrder(State.ONLY_HERE, State.ONLY_THERE);
    }

    @Test
    void manyDifferencesNeedLargerSketches() throws Exception {
        announce(here, 0, 3_000);
        announce(there, 0, 1_000);
        ComparedTable table = compare().getFirst();
        assertThat(table.differing()).isEqualTo(2_000);
        assertThat(table.routes()).hasSize(TableSource.MAX_ROUTES);
    }

    @Test
    void tooManyDifferencesAreNotCounted() throws Exception {
        announce(here, 0, 60_000);
        announce(there, 0, 1);
        ComparedTable table = compare().getFirst();
        assertThat(table.state()).isEqualTo(State.DIFFERS);
        assertThat(table.differing()).isEqualTo(-1);
    }

    /** A source whose RIB changes between the digests and the comparison of single routes. */
    private record Changing(TableSource source, Runnable change) implements TableSource {
        @Override
        public Digests digests(TableSelection selection, DigestKey key, int cells) throws IOException {
            return source.digests(selection, key, cells);
        }

        @Override
        public Routes routes(TableName table, DigestKey key, Set<Long> keys) throws IOException {
            change.run();
            return source.routes(table, key, keys);
        }
    }

    @Test
    void aRouteThatArrivesLaterSettles() throws Exception {
        announce(here, 0, 100);
        announce(there, 0, 99);
        ComparedTable table = compare(source(here), new Changing(source(there), () -> announce(there, 99, 100)))
                .getFirst();
        assertThat(table.state()).isEqualTo(State.EQUAL);
        assertThat(table.settled()).isEqualTo(1);
        assertThat(table.routes()).isEmpty();
    }

    @Test
    void aRouteThatKeepsChangingIsReportedAsMoving() throws Exception {
        announce(here, 0, 100);
        announce(there, 0, 99);
        int[] version = {0};
        Runnable change = () -> apply(
                there,
                batch -> batch.announce(PEER, IPV4, null, prefix(99), BatchFeed.attributes(1_000 + version[0]++, 1)));
        ComparedTable table =
                compare(source(here), new Changing(source(there), change)).getFirst();
        assertThat(table.routes()).singleElement().matches(ComparedTable.ComparedRoute::isMoving);
    }

    @Test
    void digestsDependOnTheKeyOnly() throws Exception {
        announce(here, 0, 100);
        DigestKey key = DigestKey.random();
        TableDigest digest = digest(key);
        assertThat(digest.sum()).isEqualTo(digest(DigestKey.parse(key.text())).sum());
        assertThat(digest.sum()).isNotEqualTo(digest(DigestKey.random()).sum());
        assertThat(digest.routes()).isEqualTo(100);
    }

    private TableDigest digest(DigestKey key) throws IOException {
        return source(here).digests(TableSelection.ALL, key, 0).tables().getFirst();
    }

    @Test
    void selectionsByEachCondition() throws Exception {
        announce(here, 0, 10);
        apply(here, batch -> batch.announce(OTHER_PEER, IPV4, null, prefix(1), BatchFeed.attributes(1, 1)));
        assertThat(selected("r", null, null, null)).isEqualTo(2);
        assertThat(selected("q", null, null, null)).isZero();
        assertThat(selected(null, "192.0.2.1", null, null)).isEqualTo(1);
        assertThat(selected(null, null, RibView.LOC_RIB, null)).isEqualTo(1);
        assertThat(selected(null, null, null, Family.IPV6_UNICAST)).isZero();
    }

    private int selected(
            @Nullable String router, @Nullable String peer, @Nullable RibView view, @Nullable Integer family)
            throws IOException {
        return source(here)
                .digests(new TableSelection(router, peer, view, family, Set.of()), DigestKey.random(), 16)
                .tables()
                .size();
    }
}
