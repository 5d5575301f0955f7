package dev.silkroute.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.net.Family;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.rpki.VrpTable;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Alerts on the number of routes in a table. */
class TableSizeTest {
    private static final String TABLE = "router-0 192.0.2.0 adj-rib-in-pre ipv4-unicast";
    private static final String ALL = "router-0 adj-rib-in-pre ipv4-unicast";

    private static AlertFeed feed(String fields) {
        return feed(fields, AlertFeed.settings(2, 3));
    }

    private static AlertFeed feed(String fields, AlertSettings settings) {
        String entry = "{router: 'router-*', view: adj-rib-in-pre, family: ipv4-unicast, " + fields + "}";
        return new AlertFeed(RulesFile.parse("options: {monitorTables: [" + entry + "]}"), settings, VrpTable.EMPTY);
    }

    /** Sends a complete table. */
    private static void table(AlertFeed feed, int vantagePoint, int routes) {
        feed.peerUp(vantagePoint);
        announce(feed, vantagePoint, 0, routes);
        feed.endOfRib(vantagePoint);
    }

    private static void announce(AlertFeed feed, int vantagePoint, int from, int to) {
        for (int i = from; i < to; i++) {
            feed.announce(vantagePoint, prefix(i), 65000);
        }
    }

    private static void withdraw(AlertFeed feed, int vantagePoint, int from, int to) {
        for (int i = from; i < to; i++) {
            feed.withdraw(vantagePoint, prefix(i));
        }
    }

    private static String prefix(int number) {
        return "198.51." + number + ".0/24";
    }

    private static List<String> after(AlertFeed feed, long seconds) {
        feed.silence(seconds);
        return feed.changes();
    }

    @Test
    void moreRoutesThanTheMaximumOpenAnAlert() {
        AlertFeed feed = feed("peer: '*', max: 3, description: many, group: noc");
        feed.newSession(0);
        table(feed, 0, 3);
        announce(feed, 0, 0, 3); // replaces routes
        feed.withdraw(0, prefix(7)); // has never been announced
        assertThat(after(feed, 10)).isEmpty();
        feed.announce(0, prefix(3), 65000);
        feed.silence(10);
        JsonNode alert = feed.records.getFirst();
        assertThat(feed.changes()).containsExactly("opened table-size " + TABLE);
        assertThat(alert.path("key").asText())
                .isEqualTo("table adj-rib-in-pre ipv4-unicast of peer 192.0.2.0 AS64500 of router-0 table-size max");
        assertThat(alert.path("condition").asText())
                .isEqualTo("the table adj-rib-in-pre ipv4-unicast of peer 192.0.2.0 (AS64500) of router router-0"
                        + " has 4 routes, the maximum is 3");
        assertThat(alert.path("description").asText()).isEqualTo("many");
        assertThat(alert.path("group").asText()).isEqualTo("noc");
        assertThat(alert.path("evidence").get(0).path("event").asText()).isEqualTo("announce");
        assertThat(alert.path("suppressed_by").get(0).asText()).isEqualTo("another max of monitorTables 1 in options");
        assertThat(Alert.read(alert).subject().key())
                .isEqualTo(alert.path("key").asText().replace(" table-size max", ""));
        feed.withdraw(0, prefix(0));
        assertThat(after(feed, 10)).containsExactly("closed table-size " + TABLE);
    }

    @Test
    void minimumCountsFromTheEndOfRibOn() {
        AlertFeed feed = feed("peer: 192.0.2.0, min: 3, settle: 0s");
        feed.newSession(0);
        table(feed, 1, 1); // another peer
        feed.peerUp(0);
        announce(feed, 0, 0, 2);
        assertThat(after(feed, 3600)).isEmpty();
        feed.endOfRib(0, Family.IPV6_UNICAST);
        assertThat(after(feed, 10)).isEmpty();
        feed.endOfRib(0);
        assertThat(after(feed, 10)).containsExactly("opened table-size " + TABLE);
        announce(feed, 0, 2, 3);
        feed.passMillis(10_999); // a second after the multiple of ten seconds, but for a millisecond
        assertThat(after(feed, 0)).isEmpty();
        feed.passMillis(1);
        assertThat(after(feed, 0)).containsExactly("closed table-size " + TABLE);
    }

    @Test
    void emptyTableHasFewerRoutesThanTheMinimum() {
        AlertFeed feed = feed("peer: '*', min: 1, settle: 0s");
        feed.newSession(0);
        table(feed, 0, 0);
        assertThat(after(feed, 10)).containsExactly("opened table-size " + TABLE);
    }

    @Test
    void minimumAndChangeWaitUntilTheTableHasSettled() {
        AlertFeed feed = feed("peer: '*', min: 3, change: 10%, within: 10m, settle: 5m");
        feed.newSession(0);
        table(feed, 0, 2);
        assertThat(after(feed, 280)).isEmpty();
        assertThat(after(feed, 30)).containsExactly("opened table-size " + TABLE);
    }

    @Test
    void tablesThatAreNotSentAgainYetAreNoLoss() {
        AlertFeed feed = feed("peer: '*', min: 3, change: 10%, within: 1h, settle: 0s");
        feed.newSession(0);
        table(feed, 0, 4);
        assertThat(after(feed, 10)).isEmpty();
        feed.peerDown(0);
        assertThat(after(feed, 10)).isEmpty();
        table(feed, 0, 4);
        assertThat(after(feed, 10)).isEmpty();
        feed.sessionDown(0);
        assertThat(after(feed, 10)).isEmpty();
        feed.newSession(0);
        feed.peerUp(0);
        announce(feed, 0, 0, 2);
        assertThat(after(feed, 10)).isEmpty();
        feed.endOfRib(0);
        assertThat(feed.engine.countedRoutes()).isEqualTo(2);
        assertThat(after(feed, 11)).containsExactly("opened table-size " + TABLE);
        feed.peerDown(0);
        assertThat(after(feed, 10)).containsExactly("closed table-size " + TABLE);
    }

    @Test
    void changesAreComparedWithTheTimeBefore() {
        AlertFeed feed = feed("peer: '*', change: 20%, within: 10m, settle: 0s");
        feed.newSession(0);
        table(feed, 0, 10);
        assertThat(after(feed, 10)).isEmpty();
        withdraw(feed, 0, 0, 2);
        assertThat(after(feed, 300)).isEmpty();
        withdraw(feed, 0, 2, 3);
        feed.silence(10);
        assertThat(feed.records.getFirst().path("condition").asText())
                .endsWith(" has 7 routes, more than 20% fewer than the 10 within the time before");
        assertThat(feed.changes()).containsExactly("opened table-size " + TABLE);
        assertThat(after(feed, 270)).isEmpty();
        assertThat(after(feed, 30)).containsExactly("closed table-size " + TABLE);
        assertThat(after(feed, 3600)).isEmpty();
        announce(feed, 0, 0, 3);
        feed.silence(10);
        assertThat(feed.records.getFirst().path("condition").asText())
                .endsWith(" has 10 routes, more than 20% more than the 7 within the time before");
        assertThat(feed.changes()).containsExactly("opened table-size " + TABLE);
    }

    @Test
    void tablesOfAllPeersAreAddedUp() {
        AlertFeed feed = feed("max: 5, min: 4, settle: 0s");
        feed.newSession(0);
        table(feed, 0, 2);
        table(feed, 1, 3);
        assertThat(after(feed, 10)).isEmpty();
        announce(feed, 0, 2, 3);
        feed.silence(10);
        assertThat(feed.records.getFirst().path("vantage_points").asInt()).isEqualTo(2);
        assertThat(feed.records.getFirst().has("peer_address")).isFalse();
        assertThat(feed.changes()).containsExactly("opened table-size " + ALL);
        feed.peerDown(1); // of a peer that is down, nothing is missing
        assertThat(after(feed, 10)).containsExactly("closed table-size " + ALL);
        table(feed, 1, 0);
        assertThat(after(feed, 10)).containsExactly("opened table-size " + ALL);
    }

    @Test
    void routesOfADisconnectedRouterExpire() {
        AlertFeed feed = feed("peer: '*', max: 1");
        feed.newSession(0);
        table(feed, 0, 2);
        assertThat(after(feed, 10)).containsExactly("opened table-size " + TABLE);
        feed.sessionDown(0);
        assertThat(after(feed, 3000)).isEmpty();
        assertThat(after(feed, 24 * 3600)).endsWith("closed table-size " + TABLE);
        assertThat(feed.engine.countedTables()).isZero();
        assertThat(feed.engine.countedRoutes()).isZero();
    }

    @Test
    void restartTakesOverTheAlertAndTheTableThatIsComplete() {
        AlertFeed feed = feed("peer: '*', min: 3, settle: 0s");
        feed.newSession(0);
        table(feed, 0, 2);
        assertThat(after(feed, 10)).isNotEmpty();
        feed.pass(100);
        feed.withdraw(0, prefix(0));
        feed.silence(3600);
        JsonNode open = feed.records.getFirst();

        AlertFeed restarted = feed("peer: '*', min: 3, settle: 1h");
        restarted.engine.restore(open);
        restarted.engine.load();
        restarted.announce(0, prefix(1), 65000);
        restarted.announce(1, prefix(1), 65000);
        restarted.announce(2, prefix(1), 65000);
        restarted.newSession(0);
        restarted.announce(0, prefix(1), 65000);
        restarted.announce(1, prefix(1), 65000);
        restarted.engine.endOfRib("router-0", AlertFeed.peer(0), Family.IPV4_UNICAST, 2);
        restarted.engine.endOfRib("router-0", AlertFeed.peer(1), 0, 2);
        restarted.engine.endOfRib("router-0", AlertFeed.peer(2), 0, 1);
        restarted.engine.settle();
        assertThat(restarted.changes())
                .containsExactly("opened table-size router-0 192.0.2.1 adj-rib-in-pre ipv4-unicast");
        assertThat(restarted.engine.openAlerts()).isEqualTo(2);

        AlertFeed withoutRule = new AlertFeed(AlertRules.NONE, AlertFeed.settings(2, 3), VrpTable.EMPTY);
        withoutRule.engine.restore(open);
        withoutRule.engine.load();
        withoutRule.engine.settle();
        assertThat(withoutRule.changes()).containsExactly("closed table-size " + TABLE);
    }

    /** It contains neither what a new session repeats nor End-of-RIBs, but the withdrawals that these cause. */
    @Test
    void inTheHistoryTablesAreCompleteWithoutEndOfRib() {
        AlertFeed feed = feed("peer: '*', min: 2, settle: 1m");
        feed.engine = AlertEngine.ofHistory(
                RulesFile.parse("options: {monitorTables: [{router: 'router-*', view: adj-rib-in-pre,"
                        + " family: ipv4-unicast, peer: '*', min: 2, settle: 1m}]}"),
                AlertFeed.settings(2, 3),
                feed::add);
        feed.engine.load();
        announce(feed, 0, 0, 2);
        feed.newSession(0); // the router's newest session, whose repetitions are missing
        feed.engine.settle();
        feed.withdraw(0, prefix(0));
        assertThat(after(feed, 10)).containsExactly("opened table-size " + TABLE);
        feed.newSession(0);
        feed.peerUp(0);
        announce(feed, 0, 0, 1);
        assertThat(after(feed, 10)).containsExactly("closed table-size " + TABLE);
        feed.withdraw(0, prefix(0));
        assertThat(after(feed, 20)).isEmpty();
        assertThat(after(feed, 40)).containsExactly("opened table-size " + TABLE);
    }

    @Test
    void tablesAndRoutesBeyondTheBoundsAreComparedWithTheMaximumOnly() {
        AlertFeed feed =
                feed("peer: '*', max: 2, min: 9, settle: 0s", new AlertSettings(1, 1, 1L << 50, 1L << 50, 9, 1, 3));
        feed.newSession(0);
        table(feed, 0, 5);
        table(feed, 1, 5);
        assertThat(after(feed, 10)).containsExactly("opened table-size " + TABLE);
        assertThat(feed.records).isEmpty();
        assertThat(feed.engine.countedTables()).isEqualTo(1);
        assertThat(feed.engine.countedRoutes()).isEqualTo(3);
        assertThat(feed.engine.omitted()).isPositive();
    }

    /** Events of other routers may be read first, because they are in other partitions. */
    @Test
    void timeOfAnAlertDoesNotDependOnTheOrderInWhichRoutersAreRead() {
        String fields = "peer: '*', max: 2";
        AlertFeed inOrder = feed(fields);
        inOrder.newSession(0);
        inOrder.newSession(1);
        table(inOrder, 0, 3);
        inOrder.pass(1);
        announce(inOrder, 0, 3, 4); // at 9 s
        announce(inOrder, 3, 0, 2); // at 10 and 11 s
        inOrder.withdraw(0, prefix(1));
        inOrder.withdraw(0, prefix(2)); // at 13 s
        inOrder.silence(20);
        assertThat(inOrder.bytes).hasSize(2);
        assertThat(inOrder.records.getFirst().path("opened_at").asText()).endsWith(":30.000000Z");
        assertThat(inOrder.changes()).containsExactly("opened table-size " + TABLE, "closed table-size " + TABLE);

        AlertFeed otherRouterFirst = feed(fields);
        Comparator<RouteBatch> byRouter = Comparator.comparing(RouteBatch::router);
        otherRouterFirst.read(
                inOrder.batches.stream().sorted(byRouter.reversed()).toList());
        otherRouterFirst.engine.passTo(AlertFeed.START + 60_000_000);
        assertThat(otherRouterFirst.bytes).isEqualTo(inOrder.bytes);
    }
}
