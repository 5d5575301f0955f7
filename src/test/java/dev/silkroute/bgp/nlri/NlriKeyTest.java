package dev.silkroute.bgp.nlri;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class NlriKeyTest {
    private static byte[] key(int family, byte[] b) {
        ByteSink out = new ByteSink();
        NlriKey.write(family, b, 0, b.length, out);
        return out.toByteArray();
    }

    private static byte[] key(String family, String hex) {
        return key(NlriExamples.family(family), HexFormat.of().parseHex(hex));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "25/70|01190000fbf4000000010011223344556677889900000000000101|01190000fbf4000000010011223344556677889900000000000000|label of ethernet-ad",
                "25/70|02210000fbf40000000100112233445566778899000000003002000000000100000101|02240000fbf40000000100000000000000000000000000003002000000000100000001000002|ESI and labels of mac-ip",
                "25/70|05220000fbf4000000010011223344556677889900000000090a00000000000000000001|05220000fbf4000000010000000000000000000000000000090a010203c0000201000002|ESI, host bits, gateway and label of ip-prefix",
                "25/70|053a0000fbf40000000100112233445566778899000000002120010db800000000000000000000000000000000000000000000000000000000000001|053a0000fbf40000000100112233445566778899000000002120010db800010000000000000000000100000000000000000000000000000001000002|the same of an IPv6 ip-prefix",
                "25/70|06180000fbf400000001000000000020ef01010120c000020101|06180000fbf400000001000000000020ef01010120c000020102|flags of selective-multicast",
                "25/70|08270000fbf40000000100112233445566778899000000000020ef01010120c0000201000000000101|08270000fbf40000000100112233445566778899000000000020ef01010120c0000201000000010202|last three fields of leave-sync",
                "1/132|210000fbf480|210000fbf4ff|bits after the length of a route target",
            })
    void fieldsThatAreAttributesAreNotPartOfTheKey(String family, String one, String other, String field) {
        assertThat(key(family, one)).as(field).isEqualTo(key(family, other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "25/70|01190000fbf4000000010011223344556677889900000000000000|01190000fbf4000000010011223344556677889900000001000000|Ethernet tag",
                "25/70|01190000fbf4000000010011223344556677889900000000000000|01190000fbf4000000020011223344556677889900000000000000|route distinguisher",
                "25/70|02210000fbf40000000100112233445566778899000000003002000000000100000000|02250000fbf40000000100112233445566778899000000003002000000000120c0000201000000|IP address of mac-ip",
                "25/70|04170000fbf4000000010011223344556677889920c0000201|04170000fbf4000000010011223344556677889820c0000201|ESI of ethernet-segment",
                "25/70|05220000fbf4000000010011223344556677889900000000090a00000000000000000001|05220000fbf4000000010011223344556677889900000000080a00000000000000000001|prefix length",
                "25/70|0c0100|0c0101|bytes of an unknown type",
                "25/65|00110000fbf400000001000100010008000010|00110000fbf400000001000200010008000010|VE ID",
            })
    void differentRoutesHaveDifferentKeys(String family, String one, String other, String field) {
        assertThat(key(family, one)).as(field).isNotEqualTo(key(family, other));
    }

    static List<NlriExamples.Example> examples() {
        return NlriExamples.all().stream()
                .filter(example -> example.family() != Family.EVPN)
                .filter(example -> !example.hex().startsWith("f0"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void wholeNlriIsTheKeyByDefault(NlriExamples.Example example) {
        assertThat(key(example.family(), example.bytes())).isEqualTo(example.bytes());
    }

    @Test
    void bothFormsOfTheFlowSpecLengthHaveTheSameKey() {
        int family = Family.IPV4_FLOWSPEC;
        assertThat(key(family, new byte[] {(byte) 0xF0, 3, 3, (byte) 0x81, 6}))
                .isEqualTo(key(family, new byte[] {3, 3, (byte) 0x81, 6}));
    }
}
