package dev.silkroute.endtoend.shared;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.fixture.SharedStation;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestMessages;
import dev.silkroute.fixture.TestRouter;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Tests that input that is not BMP, or damaged BMP, ends its session or is quarantined with a reason, without affecting
 * other sessions.
 */
class BadInputIT {
    private static final String CAPTURE = "frr-noap";

    private final StationProcess station = SharedStation.get();

    /** Returns the first messages of a captured session with another router name of the same length. */
    private static byte[] messages(int count, String sysName) {
        byte[] stream = CaptureFiles.stream(CAPTURE, sysName);
        int at = 0;
        for (int i = 0; i < count; i++) {
            at += BmpMessages.length(stream, at);
        }
        return Arrays.copyOf(stream, at);
    }

    private static byte[] join(byte[]... parts) {
        byte[] joined =
                new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, joined, at, part.length);
            at += part.length;
        }
        return joined;
    }

    private void assertEnded(byte[] stream, int messages, String router, String reason) throws Exception {
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            connection.send(stream);
            await().until(connection::closedByStation);
        }
        await().untilAsserted(() -> assertThat(station.log()
                        .lines()
                        .filter(line -> line.contains(reason) && line.contains("after " + messages + " messages")))
                .hasSize(1));
        await().untilAsserted(() -> assertThat(station.sql("SELECT reason FROM bmp.v_peer_events WHERE router = '"
                        + router + "' AND event LIKE 'session-%' AND reason IS NOT NULL"))
                .anySatisfy(text -> assertThat(text).contains(reason)));
    }

    @Test
    void aSessionIsUpBeforeItEnds() throws Exception {
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(TestMessages.initiation("short-lived"));
        }
        await().untilAsserted(() -> assertThat(station.log())
                .containsPattern("(?s)BMP session short-lived [^\n]* is up\n"
                        + ".*BMP session short-lived [^\n]* ended after 1 messages"));
    }

    @Test
    void givenAWrongVersionBehindGoodMessagesThenTheyAreKeptAndTheSessionEndsWithItsReason() throws Exception {
        byte[] good = messages(60, "vrs-1");
        assertEnded(
                join(good, HexFormat.of().parseHex("070000000600")),
                60,
                "vrs-1",
                "wrong-version at offset " + good.length);
        await().untilAsserted(() -> assertThat(
                        station.sql("SELECT count(*) > 0 FROM bmp.v_route_history WHERE router = 'vrs-1'"))
                .containsExactly("t"));
    }

    @Test
    void givenAnImpossibleLengthThenTheSessionEndsWithItsReason() throws Exception {
        byte[] good = messages(10, "len-1");
        assertEnded(
                join(good, HexFormat.of().parseHex("030000000500")),
                10,
                "len-1",
                "impossible-length at offset " + (good.length + 1));
    }

    @Test
    void givenAMessageAboveTheLimitThenTheSessionEndsBeforeItIsRead() throws Exception {
        byte[] good = messages(10, "lim-1");
        assertEnded(
                join(good, HexFormat.of().parseHex("030010000100")),
                10,
                "lim-1",
                "too-long at offset " + (good.length + 1));
    }

    @Test
    void givenAClientThatIsNotARouterThenItsSessionIsRejectedWithItsFirstBytes() throws Exception {
        assertEnded("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII), 0, "127.0.0.1", "'GET / HTTP/1.1");
        assertEnded(HexFormat.of().parseHex("16030100f5010000f10303"), 0, "127.0.0.1", "'\\x16\\x03\\x01\\x00");
        assertThat(station.sql("SELECT count(*) FROM bmp.v_routers WHERE router = '127.0.0.1' AND state = 'connected'"))
                .containsExactly("0");
    }

    @Test
    void givenADamagedMessageThenItIsQuarantinedWithItsBytesAndTheSessionContinues() throws Exception {
        byte[] stream = messages(200, "dmg-1");
        int at = 0;
        for (int i = 0; i < 20; i++) {
            at += BmpMessages.length(stream, at);
        }
        while (BmpMessages.type(stream, at) != 0) {
            at += BmpMessages.length(stream, at);
        }
        stream[at + BmpMessages.PEER_BODY] = 0; // the first byte of the BGP marker
        byte[] damaged = Arrays.copyOfRange(stream, at, at + BmpMessages.length(stream, at));
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            connection.send(stream);
            await().untilAsserted(() -> assertThat(
                            station.sql("SELECT message_type, encode(bytes, 'hex'), reason, rfc_section FROM"
                                    + " bmp.v_quarantine WHERE router = 'dmg-1'"))
                    .containsExactly("route-monitoring|" + HexFormat.of().formatHex(damaged)
                            + "|BGP marker is not all ones|RFC 4271, Section 4.1"));
            await().untilAsserted(() -> assertThat(station.sql(
                            "SELECT max(sequence) >> 16 > 100 FROM bmp.v_route_history WHERE router = 'dmg-1'"))
                    .containsExactly("t"));
            assertThat(connection.closedByStation()).isFalse();
        }
    }

    @Test
    void givenTwoRoutersWithTheSameNameThenTheyAreKeptApart() throws Exception {
        byte[] one = TestMessages.join(
                TestMessages.initiation("localhost"),
                TestMessages.peerUp("192.0.2.77"),
                TestMessages.route(1),
                TestMessages.route(2));
        byte[] other = TestMessages.join(
                TestMessages.initiation("localhost"),
                TestMessages.peerUp("192.0.2.77"),
                TestMessages.route(2),
                TestMessages.route(3));
        double before = namesTaken();
        try (TestRouter first = TestRouter.connect(station.bmpPort())) {
            first.send(one);
            String tables =
                    "SELECT router, count(*) FROM bmp.v_rib WHERE router LIKE 'localhost%' GROUP BY 1 ORDER BY 1";
            await().untilAsserted(() -> assertThat(station.sql(tables)).containsExactly("localhost|2"));
            try (TestRouter second = TestRouter.connect(station.bmpPort(), "127.0.0.2")) {
                second.send(other);
                await().untilAsserted(() ->
                        assertThat(station.sql(tables)).containsExactly("localhost|2", "localhost@127.0.0.2|2"));
                assertThat(first.closedByStation()).isFalse();
                assertThat(second.closedByStation()).isFalse();
            }
        }
        assertThat(station.log().lines().filter(line -> line.contains("using localhost@127.0.0.2 instead")))
                .hasSize(1);
        assertThat(namesTaken()).isEqualTo(before + 1);
        // When the first has disconnected but its routes exist, then another address does not get its name
        String third = "SELECT router, name_source FROM bmp.v_routers WHERE host(address) = '127.0.0.3'"
                + " AND router LIKE 'localhost%' ORDER BY 1";
        await().untilAsserted(
                        () -> assertThat(station.sql("SELECT state FROM bmp.v_routers WHERE router = 'localhost'"))
                                .containsExactly("disconnected"));
        try (TestRouter later = TestRouter.connect(station.bmpPort(), "127.0.0.3")) {
            later.send(one);
            await().untilAsserted(
                            () -> assertThat(station.sql(third)).containsExactly("localhost@127.0.0.3|disambiguated"));
        }
        // Until the operator releases it
        assertThat(release("localhosts").exitCode()).isEqualTo(1);
        assertThat(release("localhosts").stderr()).contains("no router has the name localhosts");
        assertThat(release("localhost").stdout()).contains("Released the router name localhost");
        try (TestRouter moved = TestRouter.connect(station.bmpPort(), "127.0.0.3")) {
            moved.send(one);
            await().untilAsserted(() -> assertThat(station.sql(third))
                    .containsExactly("localhost|sys-name", "localhost@127.0.0.3|disambiguated"));
        }
    }

    private StationProcess.Outcome release(String name) {
        return StationProcess.command(
                "release-name", name, "--data-dir", station.directory().toString());
    }

    private double namesTaken() {
        return station.meter("bmp_anomalies_total", "anomaly=\"router-name-taken\"")
                .orElse(0);
    }
}
