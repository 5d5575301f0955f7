package dev.silkroute.bmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PerPeerHeaderTest {
    private final PerPeerHeader header = new PerPeerHeader();

    @ParameterizedTest
    @CsvSource({
        "0, 0x00, ADJ_RIB_IN_PRE_POLICY, false, false, false",
        "1, 0x40, ADJ_RIB_IN_POST_POLICY, false, false, false",
        "2, 0x10, ADJ_RIB_OUT_PRE_POLICY, false, false, false",
        "0, 0xF0, ADJ_RIB_OUT_POST_POLICY, true, true, false",
        "3, 0x00, LOC_RIB, false, false, false",
        "3, 0x80, LOC_RIB, false, false, true",
        "9, 0xA0, ADJ_RIB_IN_PRE_POLICY, true, true, false",
    })
    void theMeaningOfFlagsDependsOnThePeerType(
            int peerType, String flags, RibView view, boolean ipv6, boolean legacy, boolean filtered) {
        // When
        read(new PeerHeader(peerType, Integer.decode(flags), 7, 1L << 61, 0xC000_0201L, -1, 2, 1_500_000));

        // Then
        assertThat(header.view()).isEqualTo(view);
        assertThat(header.ipv6()).isEqualTo(ipv6);
        assertThat(header.legacyAsPath()).isEqualTo(legacy);
        assertThat(header.filtered()).isEqualTo(filtered);
        assertThat(header.addressHigh()).isEqualTo(ipv6 ? 1L << 61 : 0);
        assertThat(header.addressLow()).isEqualTo(0xC000_0201L);
        assertThat(header.distinguisher()).isEqualTo(7);
        assertThat(Integer.toUnsignedLong(header.asn())).isEqualTo(4294967295L);
        assertThat(header.bgpId()).isEqualTo(2);
        assertThat(header.routerTimeMicros()).isEqualTo(1_500_000);
    }

    @Test
    void aTruncatedHeaderIsRejected() {
        assertThatExceptionOfType(DecodeException.class).isThrownBy(() -> header.read(new byte[50], 6, 47));
    }

    @ParameterizedTest
    @CsvSource({
        "00000000, 00000000, 0, false",
        "00000000, 00000005, 5, false",
        "00000001, 000f423f, 1999999, false",
        "00000001, 000f4240, 0, true",
        "00000001, ffffffff, 0, true",
        "ffffffff, 00000000, 4294967295000000, false",
    })
    void invalidTimesAreAbsent(String seconds, String micros, long time, boolean odd) {
        // Given
        byte[] b = Bytes.ofHex("00".repeat(34) + seconds + micros).toArray();

        // When
        header.read(b, 0);

        // Then
        assertThat(header.routerTimeMicros()).isEqualTo(time);
        assertThat(header.hasInvalidTime()).isEqualTo(odd);
    }

    @Test
    void peerTypesHaveNames() {
        assertThat(PerPeerHeader.peerTypeText(0)).isEqualTo("global");
        assertThat(PerPeerHeader.peerTypeText(3)).isEqualTo("loc-rib");
        assertThat(PerPeerHeader.peerTypeText(200)).isEqualTo("type-200");
    }

    private void read(PeerHeader peer) {
        ByteSink sink = new ByteSink();
        peer.write(sink);
        assertThat(sink.position()).isEqualTo(PerPeerHeader.LENGTH);
        header.read(sink.toByteArray(), 0);
    }
}
