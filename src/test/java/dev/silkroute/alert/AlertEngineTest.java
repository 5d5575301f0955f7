package dev.silkroute.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.rpki.Aspa;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.Vrp;
import dev.silkroute.rpki.VrpTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule with what opens and closes its alert, and what does not. */
class AlertEngineTest {
    private static final String MINE = "192.0.2.0/24";
    private static final long ME = 64500;
    private static final long OTHER = 64666;
    private static final String RULES = """
            192.0.2.0/24:
              description: mine
              asn: 64500
              ignoreMorespecifics: false
              path:
                - match: "(,|^)64999,"
                  matchDescription: through 64999
                - maxLength: 4
            198.51.100.0/24:
              description: quiet
              asn: [64500, 64501]
              ignoreMorespecifics: true
              excludeMonitors: [withdrawal-detection]
            2001:db8::/32:
              description: six
              asn: 64500
              ignoreMorespecifics: false
            options:
              monitorASns:
                64500:
                  group: default
            """;

    private final AlertFeed feed = feed(VrpTable.EMPTY);

    private static AlertFeed feed(VrpTable vrps) {
        return new AlertFeed(RulesFile.parse(RULES), AlertFeed.settings(2, 3), vrps);
    }

    private void visible(String prefix) {
        for (int i = 0; i < AlertFeed.VANTAGE_POINTS; i++) {
            feed.announce(i, prefix, 65000 + i, ME);
        }
        assertThat(feed.changes()).isEmpty();
    }

    @Test
    void originChangeOpensAtTheThresholdAndCloses() {
        visible(MINE);
        feed.announce(0, MINE, 65000, OTHER);
        assertThat(feed.changes()).isEmpty();
        feed.announce(1, MINE, 65001, OTHER);
        JsonNode alert = feed.records.getFirst();
        assertThat(feed.changes()).containsExactly("opened origin-change " + MINE);
        assertThat(alert.path("condition").asText()).isEqualTo("192.0.2.0/24 has origin AS64666, expected AS64500");
        assertThat(alert.path("vantage_points").asInt()).isEqualTo(2);
        assertThat(alert.path("evidence").get(1).path("as_path").asText()).isEqualTo("65001 64666");
        assertThat(alert.path("evidence").get(1).path("link").asText())
                .matches("/api/v1/routes/history\\?prefix=192\\.0\\.2\\.0%2F24&router=router-0&peer=192\\.0\\.2\\.1"
                        + "&from=(2023-11-14T22:13:\\d\\d\\.000000Z)&to=\\1");
        assertThat(alert.path("suppressed_by").toString()).contains("asn of 192.0.2.0/24 contains AS64666");
        feed.announce(1, MINE, 65001, ME);
        assertThat(feed.changes()).containsExactly("closed origin-change " + MINE);
    }

    /** Records of several partitions come in another order each time. */
    @Test
    void anAlertHasTheTimeOfTheRecordThatOpensItAlsoAfterANewerRecordOfAnotherRouter() {
        visible(MINE);
        feed.announce(0, MINE, 65000, OTHER);
        feed.announce(AlertFeed.VANTAGE_POINTS - 1, "203.0.113.0/24", 65005, OTHER);
        feed.pass(-2);
        feed.announce(1, MINE, 65001, OTHER);
        JsonNode alert = feed.records.getFirst();
        assertThat(alert.path("opened_at"))
                .isEqualTo(alert.path("evidence").get(1).path("received_at"));
        assertThat(alert.path("changed_at")).isEqualTo(alert.path("opened_at"));
    }

    @Test
    void moreSpecificsAreReportedByTheirOrigin() {
        announceTwice("192.0.2.128/25", OTHER);
        assertThat(feed.changes()).containsExactly("opened more-specific 192.0.2.128/25");
        announceTwice("192.0.2.0/25", ME);
        assertThat(feed.changes()).containsExactly("opened new-prefix 192.0.2.0/25");
        announceTwice("198.51.100.0/25", OTHER);
        assertThat(feed.changes()).isEmpty();
        announceTwice("2001:db8:1::/48", OTHER);
        assertThat(feed.changes()).containsExactly("opened more-specific 2001:db8:1::/48");
    }

    private void announceTwice(String prefix, long origin) {
        feed.announce(0, prefix, 65000, origin);
        feed.announce(4, prefix, 65004, origin);
    }

    @Test
    void prefixesOfMonitoredAsesAreReported() {
        announceTwice("203.0.113.0/24", OTHER);
        announceTwice("203.0.113.0/24", ME);
        assertThat(feed.changes()).containsExactly("opened unlisted-prefix 203.0.113.0/24");
        announceTwice("203.0.113.0/24", OTHER);
        assertThat(feed.changes()).containsExactly("closed unlisted-prefix 203.0.113.0/24");
        assertThat(feed.engine.routes()).isZero();
    }

    @Test
    void pathsAreMatchedAsTheFileSpecifies() {
        feed.announce(0, MINE, 65000, 64999, ME);
        feed.announce(1, MINE, 65001, 64999, ME);
        JsonNode alert = feed.records.getFirst();
        assertThat(feed.changes()).containsExactly("opened as-path " + MINE);
        assertThat(alert.path("condition").asText()).isEqualTo("through 64999");
        feed.announce(2, MINE, 65002, 1, 2, 3, ME);
        feed.announce(3, MINE, 65003, 1, 2, 3, ME);
        assertThat(feed.changes()).containsExactly("opened as-path " + MINE);
    }

    @Test
    void lossOpensWhenEnoughVantagePointsHaveWithdrawn() {
        visible(MINE);
        feed.withdraw(0, MINE);
        feed.withdraw(1, MINE);
        assertThat(feed.changes()).isEmpty();
        feed.withdraw(3, MINE);
        JsonNode alert = feed.records.getFirst();
        assertThat(feed.changes()).containsExactly("opened visibility-loss " + MINE);
        assertThat(alert.path("evidence").get(2).path("event").asText()).isEqualTo("withdraw");
        feed.announce(3, MINE, 65003, ME);
        assertThat(feed.changes()).containsExactly("closed visibility-loss " + MINE);

        visible("198.51.100.0/24");
        List.of(0, 1, 2, 3).forEach(i -> feed.withdraw(i, "198.51.100.0/24"));
        assertThat(feed.changes()).isEmpty(); // excluded
    }

    @Test
    void feedersThatAreGoneAreNotALoss() {
        visible(MINE);
        feed.peerDown(0);
        feed.peerDown(1);
        feed.peerDown(2);
        feed.sessionDown(1);
        assertThat(feed.changes()).isEmpty();
    }

    @Test
    void tableWithoutThePrefixAfterAReconnectIsALoss() {
        visible(MINE);
        feed.newSession(0);
        List.of(0, 1).forEach(feed::endOfRib);
        assertThat(feed.changes()).isEmpty();
        feed.endOfRib(2);
        assertThat(feed.changes()).containsExactly("opened visibility-loss " + MINE);
    }

    @Test
    void staleRoutesOpenNothingButKeepAnAlertOpenUntilTheyExpire() {
        feed.announce(0, MINE, 65000, OTHER);
        feed.sessionDown(0);
        feed.announce(3, MINE, 65003, OTHER);
        assertThat(feed.changes()).isEmpty();
        feed.newSession(0);
        feed.announce(0, MINE, 65000, OTHER);
        assertThat(feed.changes()).containsExactly("opened origin-change " + MINE);
        feed.sessionDown(0);
        assertThat(feed.changes()).isEmpty();
        feed.pass(25 * 3600);
        feed.announce(4, "203.0.113.0/24", 65004, OTHER);
        assertThat(feed.changes()).containsExactly("closed origin-change " + MINE);
    }

    @Test
    void invalidRoutesAreReported() {
        AlertFeed validated = feed(vrps(vrp(MINE, ME)));
        validated.announce(0, MINE, 65000, OTHER);
        validated.announce(1, MINE, 65001, OTHER);
        assertThat(validated.changes()).containsExactly("opened origin-change " + MINE, "opened rpki-invalid " + MINE);
    }

    @Test
    void newVrpsOpenAndCloseAlerts() {
        AlertFeed validated = feed(vrps(vrp(MINE, ME)));
        validated.announce(0, MINE, 65000, ME);
        validated.announce(1, MINE, 65001, ME);
        validated.engine.useVrps(vrps(vrp(MINE, ME), vrp("192.0.2.128/25", OTHER)));
        assertThat(validated.changes()).isEmpty();
        validated.engine.useVrps(vrps(vrp(MINE, OTHER)));
        assertThat(validated.changes()).containsExactly("opened rpki-invalid " + MINE);
        validated.engine.useVrps(VrpTable.EMPTY);
        assertThat(validated.changes()).containsExactly("closed rpki-invalid " + MINE);
    }

    @Test
    void newVrpsValidateOnlyTheRoutesAgainThatTheyCover() {
        VrpTable first = vrps(vrp("192.0.0.0/16", ME), vrp(MINE, ME), vrp("2001:db8::/32", ME));
        AlertFeed validated = feed(first);
        for (String prefix : List.of(MINE, "192.0.2.0/25", "192.0.2.128/25", "192.0.3.0/24", "2001:db8:8000::/33")) {
            validated.announce(0, prefix, 65000, ME);
            validated.announce(1, prefix, 65001, ME);
        }
        assertThat(validated.engine.routes()).isEqualTo(10);
        assertThat(validated.engine.useVrps(vrps(first.toList().toArray(Vrp[]::new))))
                .as("the same VRPs in another table")
                .isZero();
        assertThat(validated.engine.useVrps(vrps(vrp(MINE, ME), vrp("2001:db8::/32", ME))))
                .as("withdrawn: 192.0.0.0/16, which covers all IPv4 routes")
                .isEqualTo(8);
        assertThat(validated.engine.useVrps(vrps(vrp(MINE, ME), vrp("2001:db8::/32", ME), vrp("192.0.2.0/25", ME))))
                .as("announced: 192.0.2.0/25")
                .isEqualTo(2);
        assertThat(validated.engine.useVrps(vrps(vrp("192.0.2.128/25", ME), vrp("192.0.2.0/25", ME))))
                .as("each route that several changed VRPs cover is validated once")
                .isEqualTo(8);
        assertThat(validated.engine.useVrps(vrps(
                        vrp("192.0.2.128/25", ME), vrp("192.0.2.0/25", ME), vrp("192.0.2.0/26", ME), vrp("::/128", 1))))
                .as("longer than any route, and of others")
                .isZero();
    }

    /** Peers 1 and 4 are customers by neighborRoles of the rules, peer 0 has sent its role. */
    @Test
    void newAspasOpenAndCloseAlerts() {
        AspaTable denying = AspaTable.of(List.of(new Aspa((int) ME, List.of(65020))));
        AlertFeed verified =
                new AlertFeed(RulesFile.parse("""
                        %s: {description: mine, asn: %d}
                        options: {neighborRoles: {64501: customer}}
                        """.formatted(MINE, ME)), AlertFeed.settings(2, 3), VrpTable.EMPTY);
        verified.accept(1, MINE, 64501, ME);
        verified.accept(4, MINE, 64501, ME);
        verified.accept(2, MINE, 64502, ME);
        assertThat(verified.changes()).isEmpty();
        verified.engine.useAspas(denying);
        assertThat(verified.changes()).containsExactly("opened aspa-invalid-accepted " + MINE);
        verified.engine.useAspas(AspaTable.of(List.of(new Aspa((int) ME, List.of(64501, 65020)))));
        assertThat(verified.changes()).containsExactly("closed aspa-invalid-accepted " + MINE);
        verified.engine.useAspas(denying);
        verified.changes();
        verified.engine.useAspas(AspaTable.EMPTY);
        assertThat(verified.changes()).containsExactly("closed aspa-invalid-accepted " + MINE);
        verified.engine.useAspas(denying);
        verified.changes();
        verified.reject(1, MINE);
        assertThat(verified.changes()).containsExactly("closed aspa-invalid-accepted " + MINE);
    }

    @Test
    void theRoleOfTheSessionPrecedesThatOfTheRules() {
        AlertFeed verified =
                new AlertFeed(RulesFile.parse("""
                        %s: {description: mine, asn: %d}
                        options: {neighborRoles: {64501: customer}}
                        """.formatted(MINE, ME)), AlertFeed.settings(1, 3), VrpTable.EMPTY);
        verified.engine.useAspas(AspaTable.of(List.of(new Aspa((int) ME, List.of(65020)))));
        verified.roles.put(1, NeighborRole.PROVIDER);
        verified.accept(1, MINE, 64501, ME);
        assertThat(verified.changes())
                .as("a provider may send any path of two ASes")
                .isEmpty();
        verified.roles.put(2, NeighborRole.PEER);
        verified.accept(2, MINE, 64502, ME);
        assertThat(verified.changes()).containsExactly("opened aspa-invalid-accepted " + MINE);
    }

    private static Vrp vrp(String prefix, long asn) {
        IpPrefix parsed = IpPrefix.parse(prefix);
        return new Vrp(parsed, parsed.length(), (int) asn);
    }

    private static VrpTable vrps(Vrp... vrps) {
        return VrpTable.of(List.of(vrps));
    }

    @Test
    void openAlertsAreRepeatedAndReopenedOnesDoNotNotifyWithinTheInterval() {
        announceTwice(MINE, OTHER);
        announceTwice(MINE, ME);
        announceTwice(MINE, OTHER);
        List<Boolean> notified = feed.records.stream()
                .map(alert -> alert.path("notify").asBoolean())
                .toList();
        assertThat(feed.changes())
                .containsExactly(
                        "opened origin-change " + MINE, "closed origin-change " + MINE, "opened origin-change " + MINE);
        assertThat(notified).containsExactly(true, true, false);
        feed.pass(3610);
        feed.announce(5, "203.0.113.0/24", 65005, OTHER);
        assertThat(feed.records.getFirst().path("notify").asBoolean()).isTrue();
        assertThat(feed.changes()).containsExactly("repeated origin-change " + MINE);
    }

    @Test
    void restartReportsOnlyTheDifference() {
        visible(MINE);
        List.of(0, 1, 2).forEach(i -> feed.withdraw(i, MINE));
        announceTwice("192.0.2.128/25", OTHER);
        announceTwice("192.0.2.0/25", OTHER);
        List<JsonNode> open = List.copyOf(feed.records);
        assertThat(open).hasSize(3);

        AlertFeed restarted = feed(VrpTable.EMPTY);
        open.forEach(restarted.engine::restore);
        restarted.engine.load();
        List.of(3, 4, 5).forEach(i -> restarted.announce(i, MINE, 65000 + i, ME));
        List.of(0, 4).forEach(i -> restarted.announce(i, "192.0.2.128/25", 65000 + i, OTHER));
        List.of(0, 1, 2).forEach(restarted::endOfRib);
        List.of(1, 2).forEach(i -> restarted.announce(i, "2001:db8:1::/48", 65000 + i, OTHER));
        assertThat(restarted.changes()).isEmpty();
        restarted.engine.settle();
        assertThat(restarted.changes())
                .containsExactlyInAnyOrder("closed more-specific 192.0.2.0/25", "opened more-specific 2001:db8:1::/48");
        assertThat(restarted.engine.openAlerts()).isEqualTo(3);
    }

    @Test
    void routesWithOnlyToCustomerAreLeaksByTheRoleOfTheNeighbor() {
        AlertFeed feed = new AlertFeed(
                RulesFile.parse("options: {neighborRoles: {64500: provider, 64501: customer, 64502: peer}}"),
                AlertFeed.settings(1, 1),
                VrpTable.EMPTY);
        feed.announceOnlyToCustomer(0, "203.0.113.0/24", 64500, 64500, OTHER);
        feed.announce(1, "203.0.113.0/24", 64501, OTHER);
        feed.announceOnlyToCustomer(2, "203.0.113.0/24", 64502, 64502, OTHER);
        assertThat(feed.changes()).isEmpty();
        assertThat(feed.engine.routes()).isZero();
        feed.announceOnlyToCustomer(1, "203.0.113.0/24", 64700, 64501, 64700, OTHER);
        JsonNode alert = feed.records.getFirst();
        assertThat(feed.changes()).containsExactly("opened otc-leak 203.0.113.0/24");
        assertThat(alert.path("condition").asText())
                .isEqualTo("the customer AS64501 has leaked 203.0.113.0/24, which is only to customers of AS64700");
        assertThat(alert.path("suppressed_by").toString())
                .contains("another role of AS64501 in options.neighborRoles, or none");
        feed.announceOnlyToCustomer(2, "198.51.100.0/24", 64700, 64502, 64700, OTHER);
        assertThat(feed.changes()).containsExactly("opened otc-leak 198.51.100.0/24");
        feed.announce(1, "203.0.113.0/24", 64501, OTHER);
        assertThat(feed.changes()).containsExactly("closed otc-leak 203.0.113.0/24");
    }

    @Test
    void pathsWithAValleyAreLeaks() {
        AlertFeed feed = new AlertFeed(
                RulesFile.parse("options: {relations: [1|5|-1, 2|5|-1, 5|6|-1, 3|5|0]}"),
                AlertFeed.settings(1, 1),
                VrpTable.EMPTY);
        feed.announce(0, "203.0.113.0/24", 1, 5, 6); // from a customer to a provider
        feed.announce(1, "203.0.113.0/24", 6, 5, 2); // from a provider to a customer
        feed.announce(2, "203.0.113.0/24", 7, 5, 2); // to an AS whose relation is not known
        assertThat(feed.changes()).isEmpty();
        feed.announce(0, "203.0.113.0/24", 9, 1, 5, 5, 2, 8);
        JsonNode alert = feed.records.getFirst();
        assertThat(feed.changes()).containsExactly("opened path-leak 203.0.113.0/24");
        assertThat(alert.path("condition").asText())
                .isEqualTo("AS5 has sent 203.0.113.0/24 from its provider AS2 to its provider AS1");
        assertThat(alert.path("evidence").get(0).path("as_path").asText()).isEqualTo("9 1 5 5 2 8");
        feed.withdraw(0, "203.0.113.0/24");
        assertThat(feed.changes()).containsExactly("closed path-leak 203.0.113.0/24");
        feed.announce(0, "203.0.113.0/24", 3, 5, 2);
        assertThat(feed.changes()).containsExactly("opened path-leak 203.0.113.0/24");
    }

    private static AlertFeed reachability() {
        String rules = """
                options:
                  monitorRouters:
                    router-0: {description: first, goneAfter: 5m, peerGoneAfter: 10m, group: noc}
                    "*-1": {goneAfter: 1h}
                """;
        return new AlertFeed(RulesFile.parse(rules), AlertFeed.settings(2, 3), VrpTable.EMPTY);
    }

    @Test
    void routersThatAreDisconnectedForTooLongAreReported() {
        AlertFeed routers = reachability();
        routers.newSession(0);
        routers.newSession(1);
        routers.sessionDown(0);
        routers.sessionDown(1);
        routers.silence(200);
        routers.newSession(0);
        routers.sessionDown(0);
        routers.silence(290);
        assertThat(routers.changes()).isEmpty();
        routers.silence(20);
        JsonNode alert = routers.records.getFirst();
        assertThat(routers.changes()).containsExactly("opened router-gone router-0");
        assertThat(alert.path("condition").asText()).isEqualTo("router router-0 is not connected");
        assertThat(alert.path("description").asText()).isEqualTo("first");
        assertThat(alert.path("group").asText()).isEqualTo("noc");
        assertThat(alert.path("key").asText()).isEqualTo("router router-0 router-gone");
        assertThat(alert.path("evidence").get(0).path("event").asText()).isEqualTo("session-down");
        assertThat(alert.path("evidence").get(0).has("sequence")).isFalse();
        assertThat(alert.path("evidence").get(0).path("link").asText())
                .startsWith("/api/v1/routers?router=router-0&at=2023-11-14T");
        assertThat(alert.path("suppressed_by").toString())
                .contains("a longer goneAfter of router-0")
                .doesNotContain("vantage points");
        routers.newSession(0);
        assertThat(routers.changes()).containsExactly("closed router-gone router-0");
        routers.silence(3600);
        assertThat(routers.changes()).containsExactly("opened router-gone router-1");
        routers.silence(24 * 3600);
        assertThat(routers.changes()).contains("closed router-gone router-1"); // forgotten
        assertThat(routers.engine.openAlerts()).isZero();
    }

    @Test
    void peersThatAreDownForTooLongAreReported() {
        AlertFeed peers = reachability();
        peers.newSession(0);
        peers.peerDown(2); // has never been up
        peers.peerUp(0);
        peers.announce(1, "203.0.113.0/24", 65001, OTHER);
        peers.peerDown(0);
        peers.peerDown(1);
        peers.silence(300);
        peers.peerUp(1);
        peers.peerDown(3); // of a router whose peers are not monitored
        assertThat(peers.changes()).isEmpty();
        peers.silence(310);
        JsonNode alert = peers.records.getFirst();
        String address = alert.path("peer_address").asText();
        assertThat(peers.changes()).containsExactly("opened peer-gone router-0 " + address);
        assertThat(alert.path("router").asText()).isEqualTo("router-0");
        assertThat(alert.path("evidence").get(0).path("event").asText()).isEqualTo("peer-down");
        assertThat(alert.path("evidence").get(0).path("link").asText())
                .startsWith("/api/v1/peers?router=router-0&peer=192.0.2.0&at=2023-11-14T");
        assertThat(alert.path("suppressed_by").toString()).contains("a longer peerGoneAfter of router-0");

        AlertFeed restarted = reachability();
        restarted.engine.restore(alert);
        restarted.engine.load();
        restarted.newSession(0);
        restarted.engine.settle();
        assertThat(restarted.changes()).isEmpty();
        restarted.peerUp(0);
        assertThat(restarted.changes()).containsExactly("closed peer-gone router-0 " + address);
    }

    @Test
    void peersThatANewSessionDoesNotMentionAreReported() {
        AlertFeed peers = reachability();
        peers.newSession(0);
        peers.peerUp(0);
        peers.peerUp(1);
        peers.sessionDown(0);
        peers.newSession(0);
        peers.peerUp(1);
        peers.silence(590);
        assertThat(peers.changes()).isEmpty();
        peers.silence(20);
        assertThat(peers.records
                        .getFirst()
                        .path("evidence")
                        .get(0)
                        .path("event")
                        .asText())
                .isEqualTo("session-up");
        assertThat(peers.changes()).hasSize(1).first().asString().startsWith("opened peer-gone router-0 ");
    }

    /** Events of other routers may be read first, because they are in other partitions. */
    @Test
    void peerThatReturnsShortlyAfterItIsGoneHasAnAlertInWhicheverOrderRoutersAreRead() {
        AlertFeed inOrder = reachability();
        inOrder.newSession(0);
        inOrder.peerUp(0);
        inOrder.peerDown(0);
        inOrder.passMillis(606_500); // the alert is due at 603 s, so it opens at 610 s
        inOrder.peerUp(0); // at 610.5 s
        inOrder.newSession(1);
        inOrder.silence(20);
        assertThat(inOrder.records)
                .extracting(alert -> alert.path("changed_at").asText())
                .containsExactly("2023-11-14T22:23:30.000000Z", "2023-11-14T22:23:30.500000Z");
        assertThat(inOrder.changes())
                .containsExactly("opened peer-gone router-0 192.0.2.0", "closed peer-gone router-0 192.0.2.0");
        AlertFeed otherRouterFirst = reachability();
        List<RouteBatch> batches = new ArrayList<>(inOrder.batches);
        Collections.swap(batches, batches.size() - 2, batches.size() - 1);
        otherRouterFirst.read(batches);
        assertThat(otherRouterFirst.bytes).isEqualTo(inOrder.bytes);
    }

    @Test
    void routersAndPeersThatTheRulesNoLongerContainHaveNoAlerts() {
        AlertFeed before = reachability();
        before.newSession(0);
        before.sessionDown(0);
        before.silence(400);
        AlertFeed after = feed(VrpTable.EMPTY);
        after.engine.restore(before.records.getFirst());
        after.engine.load();
        after.engine.settle();
        assertThat(after.changes()).containsExactly("closed router-gone router-0");
    }

    @Test
    void routesBeyondTheBoundAreCounted() {
        AlertSettings small = new AlertSettings(1, 1, 1, 1, 2, 1, 1);
        AlertFeed bounded = new AlertFeed(RulesFile.parse(RULES), small, VrpTable.EMPTY);
        List.of(0, 1, 2, 3).forEach(i -> bounded.announce(i, MINE, 65000 + i, ME));
        assertThat(bounded.engine.routes()).isEqualTo(2);
        assertThat(bounded.engine.omitted()).isEqualTo(2);
    }
}
