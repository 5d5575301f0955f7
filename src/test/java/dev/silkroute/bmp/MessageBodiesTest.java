package dev.silkroute.bmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Hex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageBodiesTest {
    private static final String MARKER = "ff".repeat(16);

    @Test
    void peerDownKeepsItsData() {
        // Given
        String notification = MARKER + "0015" + "03" + "0602";

        // When
        PeerDown remote = peerDown("03" + notification);

        // Then
        assertThat(remote.notification().code()).isEqualTo(6);
        assertThat(remote.notification().subcode()).isEqualTo(2);
        assertThat(remote.fsmEvent()).isEmpty();
        assertThat(remote.data().hex()).isEqualTo(notification);
        assertThat(remote.dataFrom()).isEqualTo(1);
        assertThat(peerDown("020012").fsmEvent()).hasValue(18);
        assertThat(peerDown("06" + "00030003616263").tlvs()).containsExactly(new Tlv(3, Bytes.ofHex("616263")));
    }

    @ParameterizedTest
    @CsvSource({"00", "63", "01", "02", "0300", "0600", "046a756e6b", "0600030009"})
    void aPeerDownMayHaveMalformedData(String hex) {
        // When
        PeerDown down = peerDown(hex);

        // Then
        assertThat(down.reasonText()).isNotEmpty();
        assertThat(down.notification()).isNull();
        assertThat(down.fsmEvent()).isEmpty();
        assertThat(down.tlvs()).isEmpty();
        assertThat(down.data().hex()).isEqualTo(hex.substring(2));
    }

    @Test
    void statisticsPerFamilyAreSeparate() {
        // When
        StatisticsReport report = statistics("00000005"
                + "0007" + "0008" + "ffffffffffffffff"
                + "0009" + "000b" + "000101" + "0000000000000005"
                + "0009" + "000b" + "000201" + "0000000000000006"
                + "0011" + "000b" + "000180" + "0000000000000007"
                + "fffb" + "0004" + "00000008");

        // Then
        assertThat(report.statistics())
                .extracting(Statistic::type, Statistic::afi, Statistic::safi, Statistic::value)
                .containsExactly(
                        tuple(7, null, null, -1L),
                        tuple(9, 1, 1, 5L),
                        tuple(9, 2, 1, 6L),
                        tuple(17, 1, 128, 7L),
                        tuple(65531, null, null, 8L));
        assertThat(report.statistics())
                .extracting(Statistic::name)
                .containsExactly(
                        "adj-rib-in-routes",
                        "adj-rib-in-routes-per-family",
                        "adj-rib-in-routes-per-family",
                        "adj-rib-out-post-policy-routes-per-family",
                        "type-65531");
        assertThat(report.statistics().get(1).rawHex()).isEqualTo("0001010000000000000005");
    }

    private static org.assertj.core.groups.Tuple tuple(Object... values) {
        return org.assertj.core.groups.Tuple.tuple(values);
    }

    @ParameterizedTest
    @CsvSource({
        "18, adj-rib-in-pre-policy-routes",
        "23, adj-rib-in-post-policy-accepted-routes-per-family",
        "24, type-24",
        "26, damping-suppressed-routes-per-family",
        "43, adj-rib-out-post-policy-rpki-not-found-routes-per-family",
    })
    void statisticsOfRfc9972HaveNames(int type, String name) {
        assertThat(StatisticType.text(type)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({"000000", "00000001", "000000010000ffff00", "ffffffff0007000400000001"})
    void truncatedStatisticsAreRejected(String hex) {
        assertThatExceptionOfType(DecodeException.class).isThrownBy(() -> statistics(hex));
    }

    @Test
    void mirroredMessagesStaySeparate() {
        // Given
        byte[] b = Bytes.ofHex("0000" + "0013" + MARKER + "001304" + "0000" + "0001" + "aa" + "0001" + "0002" + "0001")
                .toArray();

        // When
        RouteMirroring mirroring = RouteMirroring.decode(b, 0, b.length, BmpMessages.VERSION);

        // Then
        assertThat(mirroring.entries())
                .extracting(RouteMirroring.Entry::name)
                .containsExactly("bgp-message", "bgp-message", "messages-lost");
        assertThat(mirroring.messagesLost()).isTrue();
        RouteMirroring.Entry second = mirroring.entries().get(1);
        assertThat(Hex.of(b, second.from(), second.to())).isEqualTo("aa");
    }

    @Test
    void informationIsTextAlsoIfMalformed() {
        // Given
        byte[] b = Bytes.ofHex("0002" + "0003" + "610062" + "0001" + "0002" + "fffe" + "0000" + "0001" + "78")
                .toArray();

        // When
        InformationTlvs information = InformationTlvs.decode(b, 0, b.length, BmpMessages.VERSION);

        // Then
        assertThat(information.sysName()).hasValue("a\0b");
        assertThat(Tlv.first(information.tlvs(), TlvType.SYS_DESCR).map(Tlv::text))
                .hasValue("\uFFFD\uFFFD");
        assertThat(Tlv.texts(information.tlvs(), TlvType.INITIATION_STRING)).containsExactly("x");
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> InformationTlvs.decode(b, 0, b.length - 1, BmpMessages.VERSION))
                .satisfies(e -> assertThat(e.offset()).isEqualTo(17));
    }

    @Test
    void terminationHasAReason() {
        // Given
        byte[] b = Bytes.ofHex("000100020003").toArray();

        // When
        InformationTlvs termination = InformationTlvs.decode(b, 0, b.length, BmpMessages.VERSION);

        // Then
        assertThat(Tlv.first(termination.tlvs(), TlvType.TERMINATION_REASON))
                .map(tlv -> tlv.value().u16(0))
                .hasValue(3);
        assertThat(InformationTlvs.reasonText(3)).isEqualTo("redundant connection");
    }

    @ParameterizedTest
    @CsvSource({"4, 03", "4, 05", "4, 06", "4, fb"})
    void inVersion4TlvsMayFollowEveryPeerDown(int version, String reason) {
        // Given: a table name and a TLV of enterprise 9
        byte[] b = Bytes.ofHex(reason + (reason.equals("03") ? MARKER + "0015" + "03" + "0602" : "") + "0003" + "0003"
                        + "726564" + "8001" + "0005" + "00000009" + "aa")
                .toArray();

        // When
        PeerDown down = PeerDown.decode(b, 0, b.length, version);

        // Then
        assertThat(down.tlvs()).containsExactly(new Tlv(3, Bytes.ofHex("726564")), new Tlv(1, 9L, Bytes.ofHex("aa")));
        assertThat(Tlv.first(down.tlvs(), TlvType.PEER_DOWN_TABLE_NAME).map(Tlv::text))
                .hasValue("red");
        assertThat(down.notification() != null).isEqualTo(reason.equals("03"));
    }

    @Test
    void inVersion4TlvsMayFollowAnFsmEvent() {
        byte[] b = Bytes.ofHex("02" + "0012" + "0003" + "0001" + "72").toArray();
        PeerDown down = PeerDown.decode(b, 0, b.length, 4);
        assertThat(down.fsmEvent()).hasValue(18);
        assertThat(Tlv.first(down.tlvs(), TlvType.PEER_DOWN_TABLE_NAME).map(Tlv::text))
                .hasValue("r");
        assertThat(PeerDown.decode(b, 0, b.length, BmpMessages.VERSION).tlvs()).isEmpty();
    }

    @Test
    void everyTruncationOfAPeerDownIsDecoded() {
        byte[] b = Bytes.ofHex("03" + MARKER + "0019" + "03" + "0602" + "03627965" + "0003" + "0003" + "726564")
                .toArray();
        for (int version = 3; version <= 4; version++) {
            for (int to = 1; to <= b.length; to++) {
                PeerDown down = PeerDown.decode(b, 0, to, version);
                assertThat(down.data().length()).isEqualTo(to - 1);
                assertThat(down.notification() == null).isEqualTo(to < 26);
                assertThat(Tlv.first(down.tlvs(), TlvType.PEER_DOWN_TABLE_NAME)
                                .map(Tlv::text)
                                .isPresent())
                        .isEqualTo(version == 4 && to == b.length);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "7, 00000000, , 0, ",
        "7, 05, , 5, ",
        "7, ffffffffffffffff, , -1, ",
        "7, '', , , ",
        "7, 000000000000000001, , , ",
        "7, 0001010000000000000005, , , ",
        "9, 0001010000000000000005, 1, 5, 1",
        "9, 00010100000005, 1, 5, 1",
        "9, 00000005, , 5, ",
        "9, 0000000000000005, , 5, ",
        "9, 000101, , 257, ",
        "9, '', , , ",
        "24, 0001010000000000000005, 1, 5, 1",
        "65530, 00000009, , 9, ",
        "65530, 000000000000000000000009, , , ",
    })
    void valuesOfEveryLengthAreKept(int type, String value, Integer afi, Long number, Integer safi) {
        // When
        StatisticsReport report = statistics("00000001" + "%04x%04x".formatted(type, value.length() / 2) + value);

        // Then
        Statistic one = report.statistics().getFirst();
        assertThat(one.afi()).isEqualTo(afi);
        assertThat(one.safi()).isEqualTo(safi);
        assertThat(one.value()).isEqualTo(number);
        assertThat(one.rawHex()).isEqualTo(value);
        assertThat(one.enterprise()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "9, true", "10, true", "14, false", "15, false", "16, true", "17, true", "18, false", "19, true", "20, false",
        "21, true", "22, true", "23, true", "26, true", "27, true", "28, true", "29, false", "30, true", "31, false",
        "32, true", "33, false", "34, true", "35, true", "36, true", "37, true", "38, true", "39, false", "40, true",
        "41, true", "42, true", "43, true",
    })
    void familiesAreDecodedForTypesPerFamily(int type, boolean perFamily) {
        StatisticsReport report =
                statistics("00000001" + "%04x".formatted(type) + "000b" + "000180" + "0000000000000007");
        Statistic one = report.statistics().getFirst();
        assertThat(one.name()).doesNotStartWith("type-");
        assertThat(one.afi()).isEqualTo(perFamily ? 1 : null);
        assertThat(one.value()).isEqualTo(perFamily ? 7L : null);
        assertThat(one.name().endsWith("-per-family")).isEqualTo(perFamily);
    }

    @Test
    void inVersion4StatisticsMayBeWrappedInATlv() {
        // Given: a gauge of enterprise 9 beside IANA's
        String report = "00000002" + "0007" + "0008" + "0000000000000005" + "8007" + "0008" + "00000009" + "00000006";
        String length = "%04x".formatted(report.length() / 2);
        String sequence = "0001" + "0008" + "0000000000000007";

        for (String body : new String[] {
            report,
            "0001" + length + report,
            sequence + "0001" + length + report,
            "0003000100" + "0001" + length + report
        }) {
            // When
            byte[] b = Bytes.ofHex(body).toArray();
            StatisticsReport decoded = StatisticsReport.decode(b, 0, b.length, 4);

            // Then
            assertThat(decoded.statistics())
                    .extracting(Statistic::type, Statistic::enterprise, Statistic::value)
                    .containsExactly(tuple(7, null, 5L), tuple(7, 9L, 6L));
            assertThat(decoded.statistics().get(1).name()).isEqualTo("enterprise-9-type-7");
            for (int to = 0; to < b.length; to++) {
                int cut = to;
                assertThatExceptionOfType(DecodeException.class)
                        .isThrownBy(() -> StatisticsReport.decode(b, 0, cut, 4));
            }
        }
    }

    @Test
    void inVersion4MirroringMayContainVendorTlvs() {
        byte[] b = Bytes.ofHex("8000" + "0005" + "00000009" + "aa" + "0000" + "0001" + "bb")
                .toArray();
        assertThat(RouteMirroring.decode(b, 0, b.length, 4).entries())
                .extracting(RouteMirroring.Entry::name)
                .containsExactly("enterprise-9-type-0", "bgp-message");
        assertThat(RouteMirroring.decode(b, 0, b.length, BmpMessages.VERSION).entries())
                .extracting(RouteMirroring.Entry::name)
                .containsExactly("type-32768", "bgp-message");
    }

    /** RFC 9736: Peer Up has a namespace of its own, in which 1 and 2 are not sysDescr and sysName. */
    @Test
    void peerUpHasItsOwnNamespace() {
        // Given
        String open = MARKER + "001d" + "01" + "04" + "fde9" + "00b4" + "c0000201" + "00";
        String tlvs = "0000" + "0002" + "6869" + "0003" + "0003" + "726564" + "0004" + "0001" + "61" + "0004" + "0001"
                + "62" + "0001" + "0001" + "78" + "0003" + "0001" + "72" + "0000" + "0000";
        byte[] b = Bytes.ofHex("00".repeat(12) + "c0000202" + "00b3" + "c001" + open + open + tlvs)
                .toArray();

        // When
        PeerUp up = PeerUp.decode(b, 0, b.length, false, BmpMessages.VERSION);

        // Then
        assertThat(Tlv.texts(up.tlvs(), TlvType.PEER_UP_STRING)).containsExactly("hi", "");
        assertThat(Tlv.first(up.tlvs(), TlvType.PEER_UP_TABLE_NAME).map(Tlv::text))
                .hasValue("red");
        assertThat(Tlv.texts(up.tlvs(), TlvType.ADMIN_LABEL)).containsExactly("a", "b");
        assertThat(Tlv.others(up.tlvs(), TlvSpace.PEER_UP))
                .as("the second table name and a type without a meaning")
                .containsExactly(new Tlv(1, Bytes.ofHex("78")), new Tlv(3, Bytes.ofHex("72")));
        int tlvsFrom = b.length - tlvs.length() / 2;
        int rejected = 0;
        for (int to = 0; to < b.length; to++) {
            try {
                PeerUp.decode(b, 0, to, false, BmpMessages.VERSION);
                assertThat(to).isGreaterThanOrEqualTo(tlvsFrom);
            } catch (DecodeException e) {
                rejected++;
            }
        }
        assertThat(rejected).as("cuts that are no boundary of TLVs").isEqualTo(b.length - 7);
    }

    @Test
    void inVersion4AVendorTlvIsNotMistakenForAnother() {
        byte[] b = Bytes.ofHex("8002" + "0005" + "00000009" + "61" + "8002" + "0003" + "000000" + "ffff" + "0004"
                        + "00000009" + "0002" + "0001" + "62")
                .toArray();
        InformationTlvs information = InformationTlvs.decode(b, 0, b.length, 4);
        assertThat(information.sysName()).hasValue("b");
        assertThat(Tlv.others(information.tlvs(), TlvSpace.INITIATION))
                .containsExactly(
                        new Tlv(2, 9L, Bytes.ofHex("61")),
                        new Tlv(0x8002, Bytes.ofHex("000000")),
                        new Tlv(0xFFFF, Bytes.ofHex("00000009")));
    }

    private static PeerDown peerDown(String hex) {
        byte[] b = Bytes.ofHex(hex).toArray();
        return PeerDown.decode(b, 0, b.length, BmpMessages.VERSION);
    }

    private static StatisticsReport statistics(String hex) {
        byte[] b = Bytes.ofHex(hex).toArray();
        return StatisticsReport.decode(b, 0, b.length, BmpMessages.VERSION);
    }
}
