package dev.silkroute.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.fixture.ParsedRecords;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.session.identity.RouterIdentity;
import dev.silkroute.session.identity.RouterValues;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sessions as a whole: how peers begin and end, and that the division into batches does not change the events. */
class BmpSessionTest {
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("192.0.2.99");
    private static final SessionConfig CONFIG = new SessionConfig("col", 100);

    private static final RouterIdentity ROUTER = RouterIdentity.configured("r1");

    /** Offset of the flags in a message with a per-peer header, and of the BGP ID. */
    private static final int FLAGS = BmpMessages.COMMON_HEADER_LENGTH + 1;

    private static final int BGP_ID = BmpMessages.COMMON_HEADER_LENGTH + 30;

    private static byte[] stream(String name) {
        try (InputStream in =
                new GZIPInputStream(BmpSessionTest.class.getResourceAsStream("/captures/" + name + ".bmp.gz"))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<byte[]> messages(byte[] stream) {
        List<byte[]> messages = new ArrayList<>();
        for (int at = 0; at < stream.length; ) {
            int to = at + BmpMessages.length(stream, at);
            messages.add(Arrays.copyOfRange(stream, at, to));
            at = to;
        }
        return messages;
    }

    private static byte[] join(List<byte[]> messages) {
        byte[] joined = new byte[messages.stream().mapToInt(m -> m.length).sum()];
        int at = 0;
        for (byte[] message : messages) {
            System.arraycopy(message, 0, joined, at, message.length);
            at += message.length;
        }
        return joined;
    }

    private static byte[] first(String capture, int type) {
        return messages(stream(capture)).stream()
                .filter(m -> BmpMessages.type(m, 0) == type)
                .filter(m -> type != 3 || m[BmpMessages.COMMON_HEADER_LENGTH] == 0)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> events(DecodedBatch decoded) {
        List<String> events = new ArrayList<>();
        if (decoded.routes().length > 0) {
            RouteBatch batch = RouteBatch.read(decoded.routes());
            RouteCursor cursor = batch.cursor();
            while (cursor.next()) {
                String nlri = "";
                if (cursor.kind().isRoute()) {
                    byte[] b = batch.bytes();
                    nlri = Arrays.hashCode(Arrays.copyOfRange(
                                    b, cursor.nlri().from(), cursor.nlri().to())) + " "
                            + (cursor.nlri().hasPathId() ? cursor.nlri().pathId() : "-");
                }
                String set = cursor.attributeSet() < 0 ? "-" : Long.toHexString(batch.hashHigh(cursor.attributeSet()));
                events.add(cursor.kind() + " " + (cursor.peerIndex() < 0 ? "-" : batch.peer(cursor.peerIndex())) + " "
                        + cursor.family() + " " + cursor.sequence() + " " + cursor.coversAllViews() + " " + set + " "
                        + nlri);
            }
        }
        return events;
    }

    private static List<Object> names(DecodedBatch decoded, LaneName lane) {
        return ParsedRecords.of(decoded, lane).stream()
                .map(record -> record.get("event"))
                .toList();
    }

    @Test
    void givenASessionInBatchesOfAnySizeThenTheEventsAreTheSame() {
        List<byte[]> messages = messages(stream("gobgp-all"));
        DecodedBatch whole = new BmpSession(CONFIG, 7, ADDRESS, ROUTER).decode(join(messages), 0, 5, "end");
        Random random = new Random(42);
        BmpSession session = new BmpSession(CONFIG, 7, ADDRESS, ROUTER);
        List<String> events = new ArrayList<>();
        List<Map<String, Object>> peers = new ArrayList<>();
        for (int from = 0; from < messages.size(); ) {
            int to = Math.min(messages.size(), from + 1 + random.nextInt(50));
            DecodedBatch part =
                    session.decode(join(messages.subList(from, to)), from, 5, to == messages.size() ? "end" : null);
            events.addAll(events(part));
            peers.addAll(ParsedRecords.of(part, LaneName.PEERS));
            from = to;
        }
        assertThat(events).isEqualTo(events(whole));
        assertThat(peers).isEqualTo(ParsedRecords.of(whole, LaneName.PEERS));
    }

    @Test
    void givenAConnectionWithoutAWholeMessageThenItIsRejectedAndNoSession() {
        DecodedBatch decoded = new BmpSession(CONFIG, 1, ADDRESS, ROUTER).decode(new byte[0], 0, 1, "wrong-version");
        assertThat(decoded.routes()).isEmpty();
        assertThat(names(decoded, LaneName.PEERS)).containsExactly("session-rejected");
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2"})
    void givenOnePeerUpOrOnePerViewThenAPeerDownEndsAllViewsOrTheNamedOne(int secondPeerUp, int downs) {
        BmpSession session = new BmpSession(CONFIG, 1, ADDRESS, ROUTER);
        byte[] pre = first("gobgp-all", 3);
        byte[] post = pre.clone();
        post[FLAGS] |= 0x40;
        byte[] down = down(pre);
        byte[] postDown = down.clone();
        postDown[FLAGS] |= 0x40;
        session.decode(secondPeerUp == 1 ? join(List.of(pre, post)) : pre, 0, 1, null);
        DecodedBatch decoded = session.decode(join(List.of(postDown, down)), 2, 1, null);
        List<String> ended = events(decoded).stream()
                .filter(e -> e.startsWith(EventKind.PEER_DOWN.name()))
                .toList();
        assertThat(ended).hasSize(downs);
        // One Peer Up for all views: the first Peer Down ends them all, whatever view it names. One for each: only its
        // own.
        assertThat(ended.getFirst()).contains(secondPeerUp == 1 ? " false " : " true ");
        assertThat(ParsedRecords.of(decoded, LaneName.PEERS).getLast()).containsEntry("known", secondPeerUp == 1);
    }

    @Test
    void givenAPeerDownForAPeerThatNeverCameUpThenItIsReportedAndNoPeerIsAdded() {
        BmpSession session = new BmpSession(CONFIG, 1, ADDRESS, ROUTER);
        byte[] down = down(first("gobgp-all", 3));
        Arrays.fill(down, BGP_ID, BGP_ID + 4, (byte) 0);
        DecodedBatch decoded = session.decode(down, 0, 1, null);
        assertThat(events(decoded)).noneMatch(e -> e.startsWith("PEER_DOWN"));
        assertThat(ParsedRecords.of(decoded, LaneName.PEERS).getLast())
                .containsEntry("event", "peer-down")
                .containsEntry("known", false);
    }

    @Test
    void givenAPeerUpWithoutABgpIdForAKnownPeerThenItIsThatPeers() {
        BmpSession session = new BmpSession(CONFIG, 1, ADDRESS, ROUTER);
        byte[] up = first("gobgp-all", 3);
        byte[] without = up.clone();
        Arrays.fill(without, BGP_ID, BGP_ID + 4, (byte) 0);
        Object known = ParsedRecords.of(session.decode(up, 0, 1, null), LaneName.PEERS)
                .getLast()
                .get("peer_bgp_id");
        DecodedBatch decoded = session.decode(join(List.of(without, down(up))), 1, 1, null);
        assertThat(ParsedRecords.of(decoded, LaneName.PEERS))
                .extracting(record -> record.get("event") + " " + record.get("peer_bgp_id"))
                .containsExactly("peer-up " + known, "peer-down " + known);
    }

    @Test
    void givenTwoPeersThatDifferByBgpIdOnlyThenAPeerDownEndsTheOneItNames() {
        BmpSession session = new BmpSession(CONFIG, 1, ADDRESS, ROUTER);
        byte[] one = first("gobgp-all", 3);
        byte[] other = one.clone();
        other[BGP_ID + 3] ^= 1;
        session.decode(join(List.of(one, other)), 0, 1, null);
        DecodedBatch decoded = session.decode(down(other), 2, 1, null);
        assertThat(events(decoded)).hasSize(1);
        assertThat(RouteBatch.read(decoded.routes()).peer(0).bgpId() & 1).isEqualTo(other[BGP_ID + 3] & 1);
        assertThat(events(session.decode(down(one), 3, 1, null))).hasSize(1);
    }

    @Test
    void givenMorePeersThanTheBoundThenTheirMessagesAreQuarantined() {
        BmpSession session = new BmpSession(new SessionConfig("col", 2), 1, ADDRESS, ROUTER);
        byte[] up = first("gobgp-all", 3);
        List<byte[]> ups = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            byte[] next = up.clone();
            next[BGP_ID + 3] = (byte) (i + 1);
            ups.add(next);
        }
        DecodedBatch decoded = session.decode(join(ups), 0, 1, null);
        assertThat(events(decoded)).filteredOn(e -> e.startsWith("PEER_UP")).hasSize(2);
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE))
                .singleElement()
                .satisfies(record -> assertThat((String) record.get("reason")).contains("limit of 2 peers"));
    }

    @Test
    void givenAMalformedMessageThenItAloneIsQuarantined() {
        List<byte[]> messages = messages(stream("frr-noap"));
        byte[] broken = messages.get(30).clone();
        Arrays.fill(broken, BmpMessages.PEER_BODY, BmpMessages.PEER_BODY + 16, (byte) 0);
        List<byte[]> damaged = new ArrayList<>(messages);
        damaged.set(30, broken);
        DecodedBatch good = new BmpSession(CONFIG, 1, ADDRESS, ROUTER).decode(join(messages), 0, 1, null);
        DecodedBatch decoded = new BmpSession(CONFIG, 1, ADDRESS, ROUTER).decode(join(damaged), 0, 1, null);
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE))
                .singleElement()
                .satisfies(record -> assertThat(record)
                        .containsEntry("sequence", 30L << 16)
                        .containsEntry("reason", "BGP marker is not all ones")
                        .containsEntry("offset", BmpMessages.PEER_BODY));
        List<String> expected = events(good).stream()
                .filter(e -> !e.contains(" " + (30L << 16) + " "))
                .toList();
        assertThat(events(decoded)).containsAll(expected);
    }

    private static DecodedBatch decode(AddPathPolicy policy, String routers, byte[] stream) {
        SessionConfig config = new SessionConfig("col", 100, policy, RouterValues.parse(routers));
        return new BmpSession(config, 1, ADDRESS, ROUTER).decode(stream, 0, 1, null);
    }

    @Test
    void givenPathIdentifiersThatNoOpenAnnouncesThenTheyAreReadReportedOncePerFamilyAndCounted() {
        DecodedBatch decoded = decode(AddPathPolicy.HEURISTIC, "", stream("gobgp-all"));
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
        assertThat(decoded.outcomes(DecodeOutcome.Kind.PATH_IDENTIFIERS_UNANNOUNCED))
                .isEqualTo(277);
        List<Map<String, Object>> reported = ParsedRecords.of(decoded, LaneName.PEERS).stream()
                .filter(record -> "decode-mismatch".equals(record.get("event")))
                .toList();
        assertThat(reported).hasSize(10).allSatisfy(record -> assertThat(record).containsEntry("rib_view", "loc-rib"));
        assertThat(String.valueOf(reported.getLast().get("decode"))).contains("vpnv4=sent, not announced");
    }

    @Test
    void givenPathIdentifiersThatAreAnnouncedAndNotSentThenNothingIsLost() {
        DecodedBatch decoded = decode(AddPathPolicy.HEURISTIC, "", stream("frr-all"));
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
        assertThat(decoded.outcomes(DecodeOutcome.Kind.PATH_IDENTIFIERS_MISSING))
                .isPositive();
    }

    @Test
    void givenAStrictRouterThenWhatItDoesNotAnnounceIsQuarantined() {
        byte[] stream = stream("gobgp-all");
        assertThat(ParsedRecords.of(decode(AddPathPolicy.STRICT, "", stream), LaneName.QUARANTINE))
                .hasSize(277);
        assertThat(ParsedRecords.of(
                        decode(AddPathPolicy.HEURISTIC, "192.0.2.0/24=strict", stream), LaneName.QUARANTINE))
                .hasSize(277);
        assertThat(ParsedRecords.of(decode(AddPathPolicy.STRICT, "192.0.2.99=heuristic", stream), LaneName.QUARANTINE))
                .isEmpty();
    }

    @Test
    void givenRoutesOfAPeerWithoutPeerUpThenTheyAreDecodedAndThePeerIsReportedOnce() {
        List<byte[]> messages = messages(stream("frr-noap")).stream()
                .filter(m -> BmpMessages.type(m, 0) == 0)
                .toList();
        DecodedBatch decoded = decode(AddPathPolicy.HEURISTIC, "", join(messages));
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
        assertThat(decoded.events()).isGreaterThan(4000);
        List<Object> reported = ParsedRecords.of(decoded, LaneName.PEERS).stream()
                .filter(record -> "peer-unannounced".equals(record.get("event")))
                .map(record -> (Object) (record.get("peer_address") + " " + record.get("rib_view")))
                .toList();
        assertThat(reported).isNotEmpty().doesNotHaveDuplicates();
    }

    /** A Peer Down, reason 4, for the peer of a Peer Up. */
    private static final String ROUTE = Messages.update("", Messages.ATTRIBUTES, "080a");

    private static Optional<NeighborRole> role(BmpSession session, Messages messages) {
        RouteBatch batch =
                RouteBatch.read(session.decode(messages.bytes(), 0, 1, null).routes());
        assertThat(batch.peerCount()).isEqualTo(1);
        RouteBatch part = RouteBatch.read(batch.part(batch.eventCount() - 1, batch.eventCount()));
        assertThat(part.neighborRole(0)).as("in a part of the batch").isEqualTo(batch.neighborRole(0));
        return batch.neighborRole(0);
    }

    @Test
    void batchesHaveTheRoleOfTheNeighbor() {
        BmpSession session = Messages.session();
        Messages first = new Messages(3).peerUp("090103").add(MessageType.ROUTE_MONITORING, ROUTE);
        assertThat(role(session, first)).contains(NeighborRole.CUSTOMER);
        Messages routes = new Messages(3).add(MessageType.ROUTE_MONITORING, ROUTE);
        assertThat(role(session, routes)).as("of a later batch").contains(NeighborRole.CUSTOMER);
        Messages again = new Messages(3)
                .add(MessageType.ROUTE_MONITORING, ROUTE)
                .peerUp("090104")
                .add(MessageType.ROUTE_MONITORING, ROUTE);
        assertThat(role(session, again)).as("that of the newest Peer Up").contains(NeighborRole.PEER);
        assertThat(role(session, new Messages(3).peerUp("").add(MessageType.ROUTE_MONITORING, ROUTE)))
                .isEmpty();
        assertThat(role(Messages.session(), routes)).as("without a Peer Up").isEmpty();
    }

    @Test
    void theConfiguredRoleAppliesWithoutOneInTheOpens() throws IOException {
        SessionConfig config = new SessionConfig(
                "col",
                100,
                AddPathPolicy.HEURISTIC,
                RouterValues.NONE,
                Map.of(65001, NeighborRole.PROVIDER),
                TableDumpLimits.NONE);
        byte[] up = new Messages(3).peerUp("").bytes();
        DecodedBatch decoded = new BmpSession(config, 1, ADDRESS, ROUTER).decode(up, 0, 1, null);
        assertThat(RouteBatch.read(decoded.routes()).neighborRole(0)).contains(NeighborRole.PROVIDER);
        assertThat(ParsedRecords.of(decoded, LaneName.PEERS).getLast().get("capabilities"))
                .asString()
                .contains("neighbor_role=provider");
        Messages negotiated = new Messages(3).peerUp("090103");
        assertThat(role(new BmpSession(config, 1, ADDRESS, ROUTER), negotiated)).contains(NeighborRole.CUSTOMER);
    }

    private static byte[] down(byte[] peerUp) {
        byte[] down = Arrays.copyOf(peerUp, BmpMessages.PEER_BODY + 1);
        down[4] = (byte) down.length;
        down[1] = 0;
        down[2] = 0;
        down[3] = 0;
        down[5] = 2;
        down[BmpMessages.PEER_BODY] = 4;
        return down;
    }
}
