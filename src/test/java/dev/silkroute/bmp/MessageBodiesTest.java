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
        assertThat(remote.notificationCode()).hasValue(6);
        assertThat(remote.notificationSubcode()).hasValue(2);
        assertThat(remote.fsmEvent()).isEmpty();
        assertThat(remote.data().hex()).isEqualTo(notification);
        assertThat(remote.dataFrom()).isEqualTo(1);
        assertThat(peerDown("020012").fsmEvent()).hasValue(18);
        assertThat(peerDown("06" + "00030003616263").tlvs()).containsExactly(new Tlv(3, Bytes.ofHex("616263")));
    }

    @ParameterizedTest
    @CsvSource({"00", "63", "01", "02", "0300", "0600", "046a756e6b", "0600030009"})
    void aPeerIsDownWhateverFollows(String hex) {
        // When
        PeerDown down = peerDown(hex);

        // Then
        assertThat(down.reasonText()).isNotEmpty();
        assertThat(down.notificationCode()).isEmpty();
        assertThat(down.fsmEvent()).isEmpty();
        assertThat(down.tlvs()).isEmpty();
        assertThat(down.data().hex()).isEqualTo(hex.substring(2));
    }

    @Test
    void statisticsOfFamiliesAreApart() {
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
    void statisticsThatAreCutAreRefused(String hex) {
        assertThatExceptionOfType(DecodeException.class).isThrownBy(() -> statistics(hex));
    }

    @Test
    void mirroredMessagesStaySeveral() {
        // Given
        byte[] b = Bytes.ofHex("0000" + "0013" + MARKER + "001304" + "0000" + "0001" + "aa" + "0001" + "0002" + "0001")
                .toArray();

        // When
        RouteMirroring mirroring = RouteMirroring.decode(b, 0, b.length);

        // Then
        assertThat(mirroring.entries())
                .extracting(RouteMirroring.Entry::name)
                .containsExactly("bgp-message", "bgp-message", "messages-lost");
        assertThat(mirroring.messagesLost()).isTrue();
        RouteMirroring.Entry second = mirroring.entries().get(1);
        assertThat(Hex.of(b, second.from(), second.to())).isEqualTo("aa");
    }

    @Test
    void informationIsTextWhateverTheBytesAre() {
        // Given
        byte[] b = Bytes.ofHex("0002" + "0003" + "610062" + "0001" + "0002" + "fffe" + "0000" + "0001" + "78")
                .toArray();

        // When
        InformationTlvs information = InformationTlvs.decode(b, 0, b.length);

        // Then
        assertThat(information.sysName()).hasValue("a\0b");
        assertThat(information.sysDescr()).hasValue("\uFFFD\uFFFD");
        assertThat(information.strings()).containsExactly("x");
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> InformationTlvs.decode(b, 0, b.length - 1))
                .satisfies(e -> assertThat(e.offset()).isEqualTo(17));
    }

    @Test
    void terminationHasAReason() {
        // Given
        byte[] b = Bytes.ofHex("000100020003").toArray();

        // When
        InformationTlvs termination = InformationTlvs.decode(b, 0, b.length);

        // Then
        assertThat(termination.reasonCode()).hasValue(3);
        assertThat(InformationTlvs.reasonText(3)).isEqualTo("redundant connection");
    }

    private static PeerDown peerDown(String hex) {
        byte[] b = Bytes.ofHex(hex).toArray();
        return PeerDown.decode(b, 0, b.length);
    }

    private static StatisticsReport statistics(String hex) {
        byte[] b = Bytes.ofHex(hex).toArray();
        return StatisticsReport.decode(b, 0, b.length);
    }
}
