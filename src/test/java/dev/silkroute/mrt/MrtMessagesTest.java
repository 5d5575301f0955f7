package dev.silkroute.mrt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.SessionReader;
import dev.silkroute.mrt.MrtBuilder.Entry;
import dev.silkroute.mrt.MrtBuilder.Peer;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of peers (BGP4MP) as BMP sessions. */
class MrtMessagesTest {
    private static final String PEER = "192.0.2.1";
    private static final String PEER6 = "2001:db8::2";
    private static final String LOCAL = "198.51.100.9";
    private static final String LOCAL6 = "2001:db8::9";
    private static final int ASN = 64500;
    private static final int LOCAL_ASN = 64999;

    private static final int MESSAGE = 1;
    private static final int MESSAGE_AS4 = 4;
    private static final int MESSAGE_AS4_LOCAL = 7;
    private static final int MESSAGE_AS4_ADDPATH = 9;

    private static final int IDLE = 1;
    private static final int OPEN_CONFIRM = 5;
    private static final int ESTABLISHED = 6;

    private static final String IN = "192.0.2.1 AS64500 192.0.2.1 adj-rib-in-pre";

    @TempDir
    Path folder;

    private final MrtBuilder mrt = new MrtBuilder();

    private MrtBuilder message(int subtype, byte[] message) {
        return mrt.message(subtype, PEER, ASN, LOCAL, LOCAL_ASN, message);
    }

    private MrtBuilder state(int before, int after) {
        return mrt.state(PEER, ASN, LOCAL, LOCAL_ASN, before, after);
    }

    private Station played() throws Exception {
        return Station.of(mrt.write(folder.resolve("updates.mrt")));
    }

    private static List<String> peerEvents(Station station) {
        return station.events.stream()
                .filter(event -> !event.startsWith("SESSION"))
                .toList();
    }

    private static byte[] announce(String prefix, String path) {
        return Attributes.announce(true, null, prefix, PEER, path);
    }

    private static byte[] notification() {
        return new ByteSink().i64(-1).i64(-1).u16(21).u8(3).u8(6).u8(2).toByteArray();
    }

    private static byte[] open(String bgpId) {
        ByteSink open =
                new ByteSink().i64(-1).i64(-1).u16(29).u8(1).u8(4).u16(ASN).u16(180);
        return open.bytes(Attributes.bytes(bgpId)).u8(0).toByteArray();
    }

    @Test
    void messagesOfAFileThatBeginsWhileItsPeersAreUp() throws Exception {
        message(MESSAGE_AS4, announce("203.0.113.0/24", "64500 1"));
        message(MESSAGE_AS4, announce("203.0.114.0/24", "64500 2"));
        message(MESSAGE_AS4, Attributes.withdraw(null, "203.0.113.0/24"));
        mrt.message(
                MESSAGE_AS4,
                PEER6,
                ASN,
                LOCAL6,
                LOCAL_ASN,
                Attributes.reach(Family.IPV6_UNICAST, null, "2001:db8:1::/48", PEER6, "64500 3"));

        Station station = played();

        assertThat(station.router).isEqualTo("mrt-as64999-198.51.100.9");
        assertThat(station.routes)
                .hasSize(2)
                .containsEntry(IN + " ipv4-unicast 203.0.114.0/24", "64500 2 via 192.0.2.1")
                .containsValue("64500 3 via 2001:db8::2");
        assertThat(peerEvents(station)).hasSize(2).allMatch(event -> event.startsWith("PEER_UP"));
        assertThat(station.peers.toString()).contains("local_address=198.51.100.9", "local_address=2001:db8::9");
    }

    @Test
    void stateChangesAndNotifications() throws Exception {
        state(OPEN_CONFIRM, ESTABLISHED);
        message(MESSAGE_AS4, announce("203.0.113.0/24", "1"));
        message(MESSAGE_AS4, notification());
        state(ESTABLISHED, IDLE);
        state(IDLE, 2);
        message(MESSAGE_AS4, open("10.9.9.9"));
        state(OPEN_CONFIRM, ESTABLISHED);
        message(MESSAGE_AS4, announce("203.0.114.0/24", "2"));
        state(ESTABLISHED, IDLE);

        Station station = played();

        assertThat(station.routes).isEmpty();
        assertThat(peerEvents(station))
                .containsExactly(
                        "PEER_UP " + IN,
                        "PEER_DOWN " + IN,
                        "PEER_UP 192.0.2.1 AS64500 10.9.9.9 adj-rib-in-pre",
                        "PEER_DOWN 192.0.2.1 AS64500 10.9.9.9 adj-rib-in-pre");
        List<Object> reasons = station.peers.stream()
                .filter(peer -> "peer-down".equals(peer.get("event")))
                .map(peer -> peer.get("reason_code"))
                .toList();
        assertThat(reasons).containsExactly(3, 2);
    }

    @Test
    void aStateChangeToDownWithoutASessionIsAPeerDown() throws Exception {
        state(ESTABLISHED, IDLE);

        assertThat(played().peers.toString()).contains("event=peer-down", "known=false");
    }

    /** BIRD's first state changes have no addresses yet. */
    @Test
    void peersThatOnlyTryAreNobody() throws Exception {
        mrt.state("0.0.0.0", ASN, "0.0.0.0", LOCAL_ASN, IDLE, 3);
        state(3, 4);
        state(OPEN_CONFIRM, ESTABLISHED);

        Station station = played();

        assertThat(station.router).isEqualTo("mrt-as64999-198.51.100.9");
        assertThat(peerEvents(station)).containsExactly("PEER_UP " + IN);
    }

    @Test
    void asNumbersOfTwoOctets() throws Exception {
        message(MESSAGE, Attributes.announce(false, null, "203.0.113.0/24", PEER, "64500 4200000001"));
        message(MESSAGE_AS4, announce("203.0.114.0/24", "64500 4200000002"));

        assertThat(played().routes)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        IN + " ipv4-unicast 203.0.113.0/24", "64500 4200000001 via 192.0.2.1",
                        IN + " ipv4-unicast 203.0.114.0/24", "64500 4200000002 via 192.0.2.1"));
    }

    @Test
    void sentMessagesAreAdjRibOut() throws Exception {
        message(MESSAGE_AS4_LOCAL, announce("203.0.113.0/24", "64999 1"));
        message(MESSAGE_AS4_ADDPATH, Attributes.announce(true, 9, "203.0.113.0/24", PEER, "64500 1"));

        assertThat(played().routes)
                .containsOnlyKeys(
                        IN + " ipv4-unicast 9:203.0.113.0/24",
                        "192.0.2.1 AS64500 192.0.2.1 adj-rib-out-post ipv4-unicast 203.0.113.0/24");
    }

    /** Path identifiers are negotiated when a session begins, so a change means a new session. */
    @Test
    void pathIdentifiersThatBeginMidway() throws Exception {
        message(MESSAGE_AS4, announce("203.0.113.0/24", "1"));
        message(MESSAGE_AS4_ADDPATH, Attributes.announce(true, 1, "203.0.114.0/24", PEER, "2"));
        mrt.message(
                MESSAGE_AS4,
                PEER,
                ASN,
                LOCAL,
                LOCAL_ASN,
                Attributes.reach(Family.IPV6_UNICAST, null, "2001:db8:1::/48", PEER6, "3"));

        Station station = played();

        assertThat(station.routes)
                .containsOnlyKeys(IN + " ipv4-unicast 1:203.0.114.0/24", IN + " ipv6-unicast 2001:db8:1::/48");
        assertThat(peerEvents(station)).containsExactly("PEER_UP " + IN, "PEER_DOWN " + IN, "PEER_UP " + IN);
    }

    @Test
    void messagesAfterATableAreOfTheSameRouterAndPeer() throws Exception {
        mrt.peers("10.0.0.9", "", List.of(new Peer(PEER, ASN, "10.0.0.1")));
        mrt.routes(2, MrtBuilder.prefix("203.0.113.0/24"), new Entry(0, 1, null, Attributes.via(PEER, "1")));
        mrt.routes(2, MrtBuilder.prefix("203.0.114.0/24"), new Entry(0, 1, null, Attributes.via(PEER, "2")));
        message(MESSAGE_AS4, Attributes.withdraw(null, "203.0.113.0/24"));
        // A peer of two octets: the table has four all the same.
        message(MESSAGE, Attributes.announce(false, null, "203.0.115.0/24", PEER, "64500 4200000001"));

        Station station = played();

        String peer = "192.0.2.1 AS64500 10.0.0.1 adj-rib-in-pre";
        assertThat(station.routes)
                .containsOnlyKeys(peer + " ipv4-unicast 203.0.114.0/24", peer + " ipv4-unicast 203.0.115.0/24");
        assertThat(peerEvents(station)).containsExactly("PEER_UP " + peer, "END_OF_RIB " + peer + " ipv4-unicast");
    }

    @Test
    void collectorsOfSeveralAsNumbersAreSeveralRouters() throws Exception {
        message(MESSAGE_AS4, announce("203.0.113.0/24", "1"));
        mrt.message(MESSAGE_AS4, PEER, ASN, LOCAL, 64998, announce("203.0.114.0/24", "2"));
        message(MESSAGE_AS4, announce("203.0.115.0/24", "3"));

        CaptureFile file = Station.open(mrt.write(folder.resolve("a")));

        assertThat(file.survey().sessions())
                .extracting(one -> one.name())
                .containsExactly("mrt-as64999-198.51.100.9", "mrt-as64998-198.51.100.9");
        assertThat(Station.of(file, 0).routes).hasSize(2);
        assertThat(Station.of(file, 1).routes).hasSize(1);
    }

    @Test
    void microsecondsAreKept() throws Exception {
        mrt.extended();
        for (int i = 0; i < 3; i++) {
            mrt.at(1_700_000_000_000_000L + i * 250_000L);
            message(MESSAGE_AS4, announce("203.0.113.0/24", "1"));
        }

        CaptureFile file = Station.open(mrt.write(folder.resolve("a")));

        assertThat(file.survey().timed()).isTrue();
        assertThat(file.survey().startNanos()).isEqualTo(1_700_000_000_000_000_000L);
        List<Long> times = new ArrayList<>();
        try (SessionReader reader = file.read(file.survey().sessions().getFirst())) {
            while (reader.next()) {
                times.add(reader.timeNanos());
            }
        }
        assertThat(times)
                .containsExactly(1_700_000_000_000_000_000L, 1_700_000_000_250_000_000L, 1_700_000_000_500_000_000L);
    }

    @Test
    void endOfRibAndEmptyUpdatesDoNotShowWhetherThereArePathIdentifiers() throws Exception {
        byte[] empty =
                new ByteSink().i64(-1).i64(-1).u16(23).u8(2).u16(0).u16(0).toByteArray();
        message(MESSAGE_AS4, empty);
        message(MESSAGE_AS4_ADDPATH, Attributes.announce(true, 1, "203.0.114.0/24", PEER, "2"));
        message(MESSAGE_AS4, empty);

        Station station = played();

        assertThat(station.routes).hasSize(1);
        assertThat(peerEvents(station))
                .containsExactly(
                        "PEER_UP " + IN, "END_OF_RIB " + IN + " ipv4-unicast", "END_OF_RIB " + IN + " ipv4-unicast");
    }
}
