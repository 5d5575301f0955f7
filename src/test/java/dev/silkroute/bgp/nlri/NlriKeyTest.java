package dev.silkroute.bgp.nlri;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class NlriKeyTest {
    private static final String RD = "rd=64500:1 ";
    private static final String ESI = "esi=00:11:22:33:44:55:66:77:88:99 ";

    private static byte[] key(int family, byte[] b) {
        ByteSink out = new ByteSink();
        NlriKey.write(family, b, 0, b.length, out);
        return out.toByteArray();
    }

    private static byte[] key(String family, String text) {
        int code = NlriExamples.family(family);
        return key(code, NlriText.parse(code, text.replace("RD ", RD).replace("ESI ", ESI)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "25/70|ethernet-ad RD ESI etag=0 label=16/257|ethernet-ad RD ESI etag=0 label=0/0",
                "25/70|mac-ip RD ESI etag=0 mac=02:00:00:00:00:01 label=16/257|mac-ip RD esi=00:00:00:00:00:00:00:00:00:00 etag=0"
                        + " mac=02:00:00:00:00:01 label=0/1,0/2",
                "25/70|ip-prefix RD ESI etag=0 prefix=10.0.0.0/9 gateway=0.0.0.0 label=0/1|ip-prefix RD"
                        + " esi=00:00:00:00:00:00:00:00:00:00 etag=0 prefix=10.1.2.3/9 gateway=192.0.2.1 label=0/2",
                "25/70|ip-prefix RD ESI etag=0 prefix=2001:db8::/33 gateway=:: label=0/1|ip-prefix RD ESI etag=0"
                        + " prefix=2001:db8:1::1/33 gateway=::1 label=0/2",
                "25/70|selective-multicast RD etag=0 source=* group=239.1.1.1 originator=192.0.2.1 flags=1|selective-multicast"
                        + " RD etag=0 source=* group=239.1.1.1 originator=192.0.2.1 flags=2",
                "25/70|leave-sync RD ESI etag=0 source=* group=239.1.1.1 originator=192.0.2.1 reserved=0 max-response-time=1"
                        + " flags=1|leave-sync RD ESI etag=0 source=* group=239.1.1.1 originator=192.0.2.1 reserved=1"
                        + " max-response-time=2 flags=2",
                "1/132|origin-as=64500 rt=0x80/1|origin-as=64500 rt=0xff/1",
            })
    void attributesInTheNlriAreNoPartOfTheKey(String family, String one, String other) {
        assertThat(key(family, one)).isEqualTo(key(family, other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "25/70|ethernet-ad RD ESI etag=0 label=0/0|ethernet-ad RD ESI etag=1 label=0/0",
                "25/70|ethernet-ad RD ESI etag=0 label=0/0|ethernet-ad rd=64500:2 ESI etag=0 label=0/0",
                "25/70|mac-ip RD ESI etag=0 mac=02:00:00:00:00:01 label=0/0|mac-ip RD ESI etag=0 mac=02:00:00:00:00:01"
                        + " ip=192.0.2.1 label=0/0",
                "25/70|ethernet-segment RD ESI originator=192.0.2.1|ethernet-segment RD esi=00:11:22:33:44:55:66:77:88:98"
                        + " originator=192.0.2.1",
                "25/70|ip-prefix RD ESI etag=0 prefix=10.0.0.0/9 gateway=0.0.0.0 label=0/1|ip-prefix RD ESI etag=0"
                        + " prefix=10.0.0.0/8 gateway=0.0.0.0 label=0/1",
                "25/70|type-12 value=0x00|type-12 value=0x01",
                "25/65|rd=64500:1 ve=1 block-offset=1 block-size=8 label-base=1/16|rd=64500:1 ve=2 block-offset=1 block-size=8"
                        + " label-base=1/16",
            })
    void otherRoutesHaveOtherKeys(String family, String one, String other) {
        assertThat(key(family, one)).isNotEqualTo(key(family, other));
    }

    static List<NlriExamples.Example> examples() {
        return NlriExamples.all().stream()
                .filter(example -> example.family() != Family.EVPN)
                .filter(example -> !example.hex().startsWith("f0"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theKeyIsTheNlriWhereNothingElseIsSaid(NlriExamples.Example example) {
        assertThat(key(example.family(), example.bytes())).isEqualTo(example.bytes());
    }

    @Test
    void bothFormsOfFlowSpecsLengthAreOneKey() {
        int family = Family.IPV4_FLOWSPEC;
        assertThat(key(family, new byte[] {(byte) 0xF0, 3, 3, (byte) 0x81, 6}))
                .isEqualTo(key(family, new byte[] {3, 3, (byte) 0x81, 6}));
    }
}
