package dev.silkroute.rpki.rtr;

import static dev.silkroute.fixture.RtrPdus.announce;
import static dev.silkroute.fixture.RtrPdus.aspa;
import static dev.silkroute.fixture.RtrPdus.cacheReset;
import static dev.silkroute.fixture.RtrPdus.cacheResponse;
import static dev.silkroute.fixture.RtrPdus.endOfData;
import static dev.silkroute.fixture.RtrPdus.errorReport;
import static dev.silkroute.fixture.RtrPdus.resetQuery;
import static dev.silkroute.fixture.RtrPdus.routerKey;
import static dev.silkroute.fixture.RtrPdus.serialNotify;
import static dev.silkroute.fixture.RtrPdus.serialQuery;
import static dev.silkroute.fixture.RtrPdus.withdraw;
import static dev.silkroute.fixture.RtrPdus.withdrawAspa;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.silkroute.net.IpPrefix;
import dev.silkroute.rpki.Aspa;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.Vrp;
import dev.silkroute.rpki.VrpTable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests whole conversations with a cache, of which each test writes the side of the cache. */
class SynchronizationTest {
    private static final int SESSION = 0x1234;
    private static final String A = "192.0.2.0/24";
    private static final String B = "2001:db8::/32";
    private static final Vrp VRP_A = new Vrp(IpPrefix.parse(A), 24, 64500);
    private static final Vrp VRP_B = new Vrp(IpPrefix.parse(B), 48, 64501);

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final LongAdder routerKeys = new LongAdder();

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    private Synchronization with(int version, byte[]... pdus) {
        return new Synchronization(new ByteArrayInputStream(join(pdus)), sent, version, routerKeys);
    }

    private static byte[] end(int version, int serial) {
        return version == 0 ? endOfData(SESSION, serial) : endOfData(version, SESSION, serial, 3600, 600, 7200);
    }

    private static CacheData data(int version, int serial, Vrp... vrps) {
        return new CacheData(version, SESSION, serial, Intervals.DEFAULT, VrpTable.of(List.of(vrps)), AspaTable.EMPTY);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void eachVersionDeliversItsData(int version) throws Exception {
        CacheData data = with(
                        version,
                        cacheResponse(version, SESSION),
                        announce(version, A, 24, 64500),
                        announce(version, B, 48, 64501),
                        end(version, 7))
                .query(null);

        assertThat(data.version()).isEqualTo(version);
        assertThat(data.sessionId()).isEqualTo(SESSION);
        assertThat(data.serial()).isEqualTo(7);
        assertThat(data.vrps().toList()).containsExactly(VRP_A, VRP_B);
        assertThat(sent.toByteArray()).isEqualTo(resetQuery(version));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void theFirstAnswerMayHaveALowerVersion(int lower) throws Exception {
        CacheData data = with(2, cacheResponse(lower, SESSION), announce(lower, A, 24, 64500), end(lower, 7))
                .query(null);
        assertThat(data.version()).isEqualTo(lower);
    }

    @Test
    void changesSinceASerialNumberThatWrapsAround() throws Exception {
        CacheData before = data(1, -1, VRP_A);
        Synchronization cache = with(
                1,
                cacheResponse(1, SESSION),
                withdraw(1, A, 24, 64500),
                announce(1, B, 48, 64501),
                end(1, 0),
                serialNotify(1, SESSION, 1),
                cacheResponse(1, SESSION),
                end(1, 1));

        CacheData after = cache.query(before);
        assertThat(after.vrps().toList()).containsExactly(VRP_B);
        assertThat(after.serial()).isZero();
        assertThat(before.vrps().toList()).as("the earlier data").containsExactly(VRP_A);

        assertThat(cache.isNotified(after)).isTrue();
        CacheData same = cache.query(after);
        assertThat(same.vrps()).as("no changes").isSameAs(after.vrps());
        assertThat(same.serial()).isEqualTo(1);
        assertThat(sent.toByteArray()).isEqualTo(join(serialQuery(1, SESSION, -1), serialQuery(1, SESSION, 0)));
    }

    @Test
    void aVrpMayBeWithdrawnAndAnnouncedInOneAnswer() throws Exception {
        CacheData after = with(
                        1,
                        cacheResponse(1, SESSION),
                        withdraw(1, A, 24, 64500),
                        announce(1, A, 24, 64500),
                        announce(1, B, 48, 64501),
                        withdraw(1, B, 48, 64501),
                        end(1, 6))
                .query(data(1, 5, VRP_A));
        assertThat(after.vrps().toList()).containsExactly(VRP_A);
    }

    @Test
    void afterACacheResetAllDataAreQueried() throws Exception {
        CacheData after = with(
                        1,
                        cacheReset(1),
                        cacheResponse(1, SESSION + 1),
                        announce(1, B, 48, 64501),
                        endOfData(1, SESSION + 1, 3, 3600, 600, 7200))
                .query(data(1, 100, VRP_A));
        assertThat(after.vrps().toList()).containsExactly(VRP_B);
        assertThat(after.sessionId()).isEqualTo(SESSION + 1);
        assertThat(after.serial()).as("of another session").isEqualTo(3);
        assertThat(sent.toByteArray()).isEqualTo(join(serialQuery(1, SESSION, 100), resetQuery(1)));
    }

    @Test
    void routerKeysAreIgnoredAndCounted() throws Exception {
        CacheData data = with(2, cacheResponse(2, SESSION), routerKey(2), announce(2, A, 24, 64500), end(2, 1))
                .query(null);
        assertThat(data.vrps().toList()).containsExactly(VRP_A);
        assertThat(routerKeys.sum()).isEqualTo(1);
    }

    @Test
    void aspasAreAnnouncedReplacedAndWithdrawn() throws Exception {
        Synchronization cache = with(
                2,
                cacheResponse(2, SESSION),
                aspa(2, 64503, 64510),
                announce(2, A, 24, 64500),
                aspa(2, 64500, 64501, 64502),
                end(2, 1),
                cacheResponse(2, SESSION),
                aspa(2, 64500, 64501),
                withdrawAspa(2, 64503),
                aspa(2, 64504, 64510),
                aspa(2, 64504, 64511),
                end(2, 2),
                cacheResponse(2, SESSION),
                aspa(2, 64500, 64501),
                announce(2, B, 48, 64501),
                end(2, 3));

        CacheData first = cache.query(null);
        assertThat(first.vrps().toList()).containsExactly(VRP_A);
        assertThat(first.aspas().toList())
                .containsExactly(new Aspa(64500, List.of(64501, 64502)), new Aspa(64503, List.of(64510)));
        CacheData second = cache.query(first);
        assertThat(second.aspas().toList())
                .containsExactly(new Aspa(64500, List.of(64501)), new Aspa(64504, List.of(64511)));
        assertThat(second.vrps()).as("no changes").isSameAs(first.vrps());
        assertThat(first.aspas().size()).as("the earlier data").isEqualTo(2);
        CacheData third = cache.query(second);
        assertThat(third.aspas()).as("an equal announcement").isSameAs(second.aspas());
        assertThat(third.vrps().toList()).containsExactly(VRP_A, VRP_B);
    }

    static Stream<Arguments> violationsOfVersion2() {
        return Stream.of(
                Arguments.of("never announced", ErrorCode.WITHDRAWAL_OF_UNKNOWN_RECORD, withdrawAspa(2, 64501)),
                Arguments.of("no providers", ErrorCode.ASPA_PROVIDER_LIST_ERROR, aspa(2, 64500)),
                Arguments.of("AS 0 and others", ErrorCode.ASPA_PROVIDER_LIST_ERROR, aspa(2, 64500, 0, 64501)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("violationsOfVersion2")
    void aViolationByAnAspaIsReportedToTheCache(String name, ErrorCode code, byte[] violation) {
        RtrException error = catchThrowableOfType(
                RtrException.class,
                () -> with(2, cacheResponse(2, SESSION), violation).query(null));

        assertThat(error.code()).isEqualTo(code);
        assertThat(sent.toByteArray())
                .endsWith(errorReport(2, code.code(), violation, String.valueOf(error.getMessage())));
    }

    @Test
    void theNumberOfProvidersIsBounded() {
        int[] providers = IntStream.rangeClosed(1, Aspa.MAX_PROVIDERS).toArray();
        int customers = AspaTable.MAX_PROVIDERS / providers.length + 1;
        byte[][] pdus = Stream.concat(
                        Stream.of(cacheResponse(2, SESSION)),
                        IntStream.rangeClosed(1, customers).mapToObj(customer -> aspa(2, customer, providers)))
                .toArray(byte[][]::new);
        RtrException error =
                catchThrowableOfType(RtrException.class, () -> with(2, pdus).query(null));
        assertThat(error).hasMessage("ASPAs with more than 1000000 providers");
    }

    @Test
    void notificationsDuringAQueryAreIgnoredInAnyVersionUntilOneIsNegotiated() throws Exception {
        CacheData data = with(
                        1,
                        serialNotify(0, 1, 1),
                        serialNotify(2, 2, 2),
                        cacheResponse(1, SESSION),
                        serialNotify(1, SESSION, 8),
                        end(1, 7))
                .query(null);
        assertThat(data.serial()).isEqualTo(7);
    }

    @Test
    void onlyANewerSerialNumberIsNews() throws Exception {
        CacheData data = data(1, 7);
        assertThat(with(1, serialNotify(1, SESSION, 8)).isNotified(data)).isTrue();
        assertThat(with(1, serialNotify(1, SESSION, 7)).isNotified(data)).isFalse();
        assertThat(with(1, serialNotify(1, SESSION, 6)).isNotified(data)).isFalse();
    }

    @Test
    void theIntervalsOfVersion1AreTaken() throws Exception {
        CacheData data = with(1, cacheResponse(1, SESSION), endOfData(1, SESSION, 1, 10, 20, 1000))
                .query(null);
        assertThat(data.intervals())
                .isEqualTo(new Intervals(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(1000)));
    }

    static Stream<Arguments> violations() {
        byte[] response = cacheResponse(1, SESSION);
        byte[] a = announce(1, A, 24, 64500);
        byte[] b = announce(1, B, 48, 64501);
        byte[] unknown = withdraw(1, B, 48, 64501);
        byte[] tooLong = announce(1, A, 33, 64500);
        byte[] older = endOfData(1, SESSION, 4, 3600, 600, 7200);
        byte[] otherEnd = endOfData(1, SESSION + 1, 6, 3600, 600, 7200);
        return Stream.of(
                Arguments.of("announced before", ErrorCode.DUPLICATE_ANNOUNCEMENT_RECEIVED, a, List.of(response)),
                Arguments.of("announced twice", ErrorCode.DUPLICATE_ANNOUNCEMENT_RECEIVED, b, List.of(response, b)),
                Arguments.of("never announced", ErrorCode.WITHDRAWAL_OF_UNKNOWN_RECORD, unknown, List.of(response)),
                Arguments.of(
                        "withdrawn twice",
                        ErrorCode.WITHDRAWAL_OF_UNKNOWN_RECORD,
                        withdraw(1, A, 24, 64500),
                        List.of(response, withdraw(1, A, 24, 64500))),
                Arguments.of(
                        "other maximum length",
                        ErrorCode.WITHDRAWAL_OF_UNKNOWN_RECORD,
                        withdraw(1, A, 25, 64500),
                        List.of(response)),
                Arguments.of("malformed", ErrorCode.CORRUPT_DATA, tooLong, List.of(response)),
                Arguments.of("data without a response", ErrorCode.CORRUPT_DATA, b, List.of()),
                Arguments.of("end without a response", ErrorCode.CORRUPT_DATA, end(1, 6), List.of()),
                Arguments.of("second response", ErrorCode.CORRUPT_DATA, response, List.of(response)),
                Arguments.of("reset within data", ErrorCode.CORRUPT_DATA, cacheReset(1), List.of(response)),
                Arguments.of("second reset", ErrorCode.CORRUPT_DATA, cacheReset(1), List.of(cacheReset(1))),
                Arguments.of(
                        "response of another session",
                        ErrorCode.CORRUPT_DATA,
                        cacheResponse(1, SESSION + 1),
                        List.of()),
                Arguments.of("end of another session", ErrorCode.CORRUPT_DATA, otherEnd, List.of(response)),
                Arguments.of("older serial number", ErrorCode.CORRUPT_DATA, older, List.of(response)),
                Arguments.of(
                        "higher version first",
                        ErrorCode.UNSUPPORTED_PROTOCOL_VERSION,
                        cacheResponse(2, SESSION),
                        List.of()),
                Arguments.of(
                        "unknown version first",
                        ErrorCode.UNSUPPORTED_PROTOCOL_VERSION,
                        cacheResponse(77, SESSION),
                        List.of()),
                Arguments.of(
                        "lower version later",
                        ErrorCode.UNEXPECTED_PROTOCOL_VERSION,
                        announce(0, B, 48, 64501),
                        List.of(response)),
                Arguments.of(
                        "notification of another version",
                        ErrorCode.UNEXPECTED_PROTOCOL_VERSION,
                        serialNotify(0, SESSION, 9),
                        List.of(response)),
                Arguments.of("ASPA of version 1", ErrorCode.UNSUPPORTED_PDU_TYPE, aspa(1, 64500), List.of(response)),
                Arguments.of("query", ErrorCode.UNSUPPORTED_PDU_TYPE, resetQuery(1), List.of()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("violations")
    void aViolationIsReportedToTheCacheAndChangesNothing(
            String name, ErrorCode code, byte[] violation, List<byte[]> before) {
        CacheData data = data(1, 5, VRP_A);
        byte[][] pdus = Stream.concat(before.stream(), Stream.of(violation)).toArray(byte[][]::new);

        RtrException error =
                catchThrowableOfType(RtrException.class, () -> with(1, pdus).query(data));

        assertThat(error.code()).isEqualTo(code);
        assertThat(data.vrps().toList()).containsExactly(VRP_A);
        assertThat(sent.toByteArray())
                .endsWith(errorReport(1, code.code(), violation, String.valueOf(error.getMessage())));
    }

    @Test
    void aNotificationOfAnotherSessionIsAViolation() {
        CacheData data = data(1, 5);
        assertThatThrownBy(() -> with(1, serialNotify(1, SESSION + 1, 6)).isNotified(data))
                .isInstanceOf(RtrException.class)
                .hasMessage("the session id is 4661 instead of 4660");
        assertThatThrownBy(() -> with(1, cacheResponse(1, SESSION)).isNotified(data))
                .isInstanceOf(RtrException.class)
                .hasMessageContaining("not allowed in notifications");
    }

    @Test
    void aLengthThatIsTooLongIsReportedWithTheHeader() {
        byte[] header = {1, 3, 0, 0, 0x7F, 0, 0, 0};
        RtrException error =
                catchThrowableOfType(RtrException.class, () -> with(1, header).query(null));
        assertThat(error.code()).isEqualTo(ErrorCode.CORRUPT_DATA);
        assertThat(sent.toByteArray())
                .isEqualTo(join(resetQuery(1), errorReport(1, 0, header, String.valueOf(error.getMessage()))));
    }

    @Test
    void anErrorReportIsNeverAnsweredWithAnother() {
        byte[] report = errorReport(1, 2, new byte[0], "no data\nFORGED LINE");
        assertThatThrownBy(() -> with(1, report).query(null))
                .isInstanceOf(CacheErrorException.class)
                .hasMessage("the cache reported no-data-available (2): no data FORGED LINE");
        byte[] malformed = report.clone();
        malformed[11] = 99;
        assertThatThrownBy(() -> with(1, malformed).query(null)).isInstanceOf(RtrException.class);
        assertThat(sent.toByteArray()).isEqualTo(join(resetQuery(1), resetQuery(1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aCacheThatDoesNotSupportTheVersionLowersIt(int supported) {
        byte[] report = errorReport(supported, 4, resetQuery(2), "");
        VersionException error = catchThrowableOfType(
                VersionException.class, () -> with(2, report).query(null));
        assertThat(error.version()).as("lower than 2 in any case").isEqualTo(Math.min(supported, 1));
        assertThat(sent.toByteArray()).isEqualTo(resetQuery(2));
    }

    @Test
    void aCacheThatOnlyClosesTheConnectionMayNotSupportTheVersion() {
        VersionException error = catchThrowableOfType(
                VersionException.class, () -> with(2, serialNotify(1, 1, 1)).query(null));
        assertThat(error.version()).isEqualTo(1);
        assertThatThrownBy(() -> with(2).query(data(2, 5))).as("it did before").isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> with(2, cacheResponse(2, SESSION)).query(null))
                .as("it does")
                .isInstanceOf(EOFException.class);
    }

    @Test
    void thereIsNoVersionBelow0() {
        assertThatThrownBy(() -> with(0, errorReport(0, 4, resetQuery(0), "")).query(null))
                .isInstanceOf(CacheErrorException.class);
        assertThatThrownBy(() -> with(0).query(null)).isInstanceOf(EOFException.class);
    }

    @Test
    void aSessionIsNotContinuedInALowerVersion() {
        VersionException error = catchThrowableOfType(
                VersionException.class, () -> with(2, cacheResponse(1, SESSION)).query(data(2, 5, VRP_A)));
        assertThat(error.version()).isEqualTo(1);
    }

    @Test
    void aConnectionThatEndsBeforeEndOfDataChangesNothing() {
        CacheData data = data(1, 5, VRP_A);
        assertThatThrownBy(() -> with(1, cacheResponse(1, SESSION), withdraw(1, A, 24, 64500))
                        .query(data))
                .isInstanceOf(EOFException.class);
        assertThat(data.vrps().toList()).containsExactly(VRP_A);
    }

    /** The PDUs are made while they are read, so that only the station's side takes memory. */
    private static final class ManyVrps extends InputStream {
        private final int count;
        private byte[] pdu = cacheResponse(1, SESSION);
        private int at;
        private int next;

        ManyVrps(int count) {
            this.count = count;
        }

        @Override
        public int read() {
            if (at == pdu.length) {
                at = 0;
                pdu = next == count ? end(1, 1) : announce(1, prefix(next), 24, next);
                next++;
            }
            return pdu[at++] & 0xFF;
        }

        static String prefix(int i) {
            return (1 + (i >> 16)) + "." + (i >> 8 & 255) + "." + (i & 255) + ".0/24";
        }
    }

    @Test
    @Timeout(300)
    void theWholeInternetIsReceived() throws Exception {
        int count = 500_000;
        CacheData data = new Synchronization(new ManyVrps(count), sent, 1, routerKeys).query(null);
        assertThat(data.vrps().size()).isEqualTo(count);
        assertThat(data.vrps().contains(new Vrp(IpPrefix.parse(ManyVrps.prefix(499_999)), 24, 499_999)))
                .isTrue();
        assertThat(data.vrps().covering(IpPrefix.parse(ManyVrps.prefix(77)))).hasSize(1);
    }
}
