package dev.silkroute.bgp.nlri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NlriReaderTest {
    private final NlriReader reader = new NlriReader();

    @ParameterizedTest
    @CsvSource({
        "1, 1, 00, 0.0.0.0/0",
        "1, 1, 20c6336401, 198.51.100.1/32",
        "1, 1, 09c6ff, 198.128.0.0/9",
        "1, 2, 08ff, 255.0.0.0/8",
        "2, 1, 00, ::/0",
        "2, 1, 3020010db80005, 2001:db8:5::/48",
        "2, 1, 2320010db8ff, 2001:db8:e000::/35",
        "2, 2, 8020010db8000000000000000000000001, 2001:db8::1/128",
    })
    void prefixesAreMasked(int afi, int safi, String hex, String expected) {
        // Given
        byte[] b = Bytes.ofHex("ee" + hex + "ee").toArray();

        // When
        reader.read(Family.of(afi, safi), b, 1, b.length - 1, false, false);

        // Then
        assertThat(reader.isPrefix()).isTrue();
        assertThat(prefix()).isEqualTo(expected);
        assertThat(reader.from()).isEqualTo(1);
        assertThat(reader.to()).isEqualTo(b.length - 1);
        assertThat(reader.hasPathId()).isFalse();
        assertThat(reader.hasRd()).isFalse();
        assertThat(reader.labelCount()).isZero();
    }

    @Test
    void pathIdentifierZeroIsNotNone() {
        // Given
        byte[] b = Bytes.ofHex("00000000" + "18c63364").toArray();

        // When
        reader.read(Family.IPV4_UNICAST, b, 0, b.length, true, false);

        // Then
        assertThat(reader.hasPathId()).isTrue();
        assertThat(reader.pathId()).isZero();
        assertThat(reader.from()).isEqualTo(4);
        assertThat(prefix()).isEqualTo("198.51.100.0/24");
    }

    @Test
    void vpnPrefixHasLabelsAndDistinguisher() {
        // Given: two labels, 16 and 1000, a distinguisher, 24 bits
        byte[] b = Bytes.ofHex("88" + "000100" + "003e81" + "0000fbf400000001" + "0a0000")
                .toArray();

        // When
        reader.read(Family.VPNV4, b, 0, b.length, false, false);

        // Then
        assertThat(reader.labelCount()).isEqualTo(2);
        assertThat(reader.label(0)).isEqualTo(16);
        assertThat(reader.label(1)).isEqualTo(1000);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> reader.label(2));
        assertThat(RouteDistinguisher.text(reader.rd())).isEqualTo("64500:1");
        assertThat(prefix()).isEqualTo("10.0.0.0/24");
    }

    @ParameterizedTest
    @CsvSource({"800000", "000000", "003e81", "000100"})
    void labelOfAWithdrawalMeansNothing(String label) {
        // Given
        byte[] b = Bytes.ofHex("30" + label + "0a0001").toArray();

        // When
        reader.read(Family.IPV4_LABELED_UNICAST, b, 0, b.length, false, true);

        // Then
        assertThat(reader.labelCount()).isZero();
        assertThat(prefix()).isEqualTo("10.0.1.0/24");
    }

    @ParameterizedTest
    @CsvSource({
        "25, 70, 0c04deadbeef, 0c04deadbeef",
        "1, 133, 03038106ee, 03038106",
        "1, 133, f00303810600, f003038106",
        "1, 134, 080000fbf40000000199, 080000fbf400000001",
        "16388, 71, 00090002abcdff, 00090002abcd",
        "1, 132, 00aa, 00",
        "1, 132, 600000fbf40002fbf400000001, 600000fbf40002fbf400000001",
        "7, 99, 0102030405, 0102030405",
    })
    void otherFamiliesAreDelimited(int afi, int safi, String field, String nlri) {
        // Given
        byte[] b = Bytes.ofHex(field).toArray();

        // When
        reader.read(Family.of(afi, safi), b, 0, b.length, false, false);

        // Then
        assertThat(reader.isPrefix()).isFalse();
        assertThat(Hex.of(b, reader.from(), reader.to())).isEqualTo(nlri);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, false, 21c6336401ff, larger than the address",
        "1, 1, false, 18c633, runs over",
        "1, 1, true, 00000001, path identifier",
        "2, 1, false, 8101010101010101010101010101010101ff, larger than the address",
        "1, 4, false, 100001, label stack",
        "1, 4, false, 30000100000100, label stack",
        "1, 4, false, f8000100000100000100000100000100000100000100000100000100000100ff, label stack",
        "1, 4, false, 40000011c633640101, larger than the address",
        "1, 128, false, 3000001100000000, route distinguisher",
        "2, 129, false, 2000000000, route distinguisher",
        "25, 70, false, 02, EVPN",
        "25, 70, false, 0205deadbeef, EVPN",
        "1, 133, false, 00, FlowSpec",
        "1, 133, false, f0, FlowSpec",
        "2, 133, false, 04038106, FlowSpec",
        "1, 134, false, 0703810600000000, FlowSpec",
        "16388, 71, false, 000100, BGP-LS",
        "16388, 72, false, 00010003abcd, BGP-LS",
        "1, 132, false, 610000fbf40002fbf40000000100, route target",
    })
    void malformedNlriIsAFaultWithItsReason(int afi, int safi, boolean addPath, String hex, String reason) {
        // Given
        int family = Family.of(afi, safi);
        byte[] b = Bytes.ofHex(hex).toArray();

        // When, then
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> NlriFormat.end(family, b, 0, b.length, addPath, false))
                .withMessageContaining(reason)
                .satisfies(e -> assertThat(e.section()).startsWith("RFC "));
        int count = NlriFormat.count(family, b, 0, b.length, addPath, false);
        assertThat(count).isNegative();
        assertThat(NlriFormat.fault(count, 7).reason()).contains(reason);
    }

    @Test
    void fieldIsCountedWithAndWithoutPathIdentifiers() {
        // Given
        byte[] plain = Bytes.ofHex("18c63364" + "00" + "20c6336401").toArray();
        byte[] paths =
                Bytes.ofHex("00000001" + "18c63364" + "00000002" + "18c63364").toArray();

        // Then
        assertThat(NlriFormat.count(Family.IPV4_UNICAST, plain, 0, plain.length, false, false))
                .isEqualTo(3);
        assertThat(NlriFormat.count(Family.IPV4_UNICAST, paths, 0, paths.length, true, false))
                .isEqualTo(2);
        assertThat(NlriFormat.count(Family.IPV4_UNICAST, plain, 0, 0, false, false))
                .isZero();
    }

    private String prefix() {
        return Addresses.prefix(reader.ipv6(), reader.addressHigh(), reader.addressLow(), reader.prefixLength());
    }
}
