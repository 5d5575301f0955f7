package dev.silkroute.bgp.attribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.bgp.update.Updates;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathAttributesTest {

    @Test
    void everyAttributeIsAField() {
        // Given
        PathAttributes set = set(Updates.ORIGIN.replace("010100", "010102")
                + Updates.attribute(0x40, 2, "0202" + "0000fbf4" + "fa56ea0b" + "0102" + "0000fbf5" + "0000fbf6")
                + Updates.NEXT_HOP
                + Updates.attribute(0x80, 4, "ffffffff")
                + Updates.attribute(0x40, 5, "00000064")
                + Updates.attribute(0x40, 6, "")
                + Updates.attribute(0xC0, 7, "fa56ea0bc0000202")
                + Updates.attribute(0xE0, 8, "fbf40001ffff0000")
                + Updates.attribute(0x80, 9, "0a000001")
                + Updates.attribute(0x80, 10, "0a0000020a000003")
                + Updates.attribute(
                        0xC0, 16, "0002fbf400000001" + "0103c00002010007" + "0202fa56ea0b0007" + "030c000000000008")
                + Updates.attribute(0xC0, 22, "0006000641c0000201")
                + Updates.attribute(0xC0, 23, "000800020400")
                + Updates.attribute(0x80, 26, "01000b000000000000002a")
                + Updates.attribute(0x80, 29, "040200016e")
                + Updates.attribute(0xC0, 32, "0000fbf40000000100000002")
                + Updates.attribute(0xC0, 35, "fa56ea0b")
                + Updates.attribute(0xC0, 40, "010007" + "00".repeat(7))
                + Updates.attribute(0xC0, 128, "0000fbf440010100")
                + Updates.attribute(0xC0, 251, "beef"));

        // Then
        assertThat(set.origin()).isEqualTo(Origin.INCOMPLETE);
        assertThat(set.med()).hasValue(4294967295L);
        assertThat(set.localPref()).hasValue(100);
        assertThat(set.communities()).containsExactly("64500:1", "65535:0");
        assertThat(set.largeCommunities()).containsExactly("64500:1:2");
        assertThat(set.extendedCommunities())
                .containsExactly("rt:64500:1", "soo:192.0.2.1:7", "rt:4200000011:7", "encap:vxlan");
        assertThat(set.asns()).containsExactly(64500L, 4200000011L, 64501L, 64502L);
        assertThat(set.toJson()).isEqualTo("""
                        {"origin":"incomplete","as_path":"64500 4200000011 {64501,64502}","next_hop":"192.0.2.1",\
                        "med":4294967295,"local_pref":100,"atomic_aggregate":true,\
                        "aggregator":{"asn":4200000011,"address":"192.0.2.2"},"communities":["64500:1","65535:0"],\
                        "originator_id":"10.0.0.1","cluster_list":["10.0.0.2","10.0.0.3"],\
                        "ext_communities":["rt:64500:1","soo:192.0.2.1:7","rt:4200000011:7","encap:vxlan"],\
                        "pmsi_tunnel":{"flags":0,"leaf_information_required":false,"tunnel_type":6,\
                        "tunnel_type_name":"ingress-replication","label":100,"label_raw":"000641","identifier":"c0000201",\
                        "endpoint":"192.0.2.1"},\
                        "tunnel_encapsulation":[{"type":8,"name":"vxlan","value":"0400",\
                        "sub_tlvs":[{"type":4,"name":"color","value":""}]}],\
                        "aigp":[{"type":1,"name":"aigp","value":"000000000000002a","metric":42}],\
                        "bgp_ls":[{"type":1026,"name":"node-name","value":"6e","decoded":"n"}],\
                        "large_communities":["64500:1:2"],"otc":4200000011,\
                        "prefix_sid":[{"type":1,"name":"label-index","value":"00000000000000","flags":0,"label_index":0}],\
                        "attr_set":{"origin_asn":64500,"value":"40010100","attributes":{"origin":"igp"}},\
                        "unknown":[{"type":251,"flags":208,"value":"beef"}],"partial":[8]}""");
    }

    @ParameterizedTest
    @CsvSource({
        "c0000201, 192.0.2.1, ''",
        "20010db8000000000000000000000001, 2001:db8::1, ''",
        "20010db8000000000000000000000001fe800000000000000000000000000001, 2001:db8::1, fe80::1",
        "0000000000000000c0000201, 192.0.2.1, ''",
        "000000000000000020010db8000000000000000000000001, 2001:db8::1, ''",
    })
    void nextHopOfMpReachWins(String nextHop, String address, String linkLocal) {
        // Given
        int safi = nextHop.length() == 24 || nextHop.length() == 48 ? 129 : 1;
        String nlri = safi == 129 ? "40" + "0000fbf400000001" : "00";

        // When
        PathAttributes set = set(Updates.GOOD + Updates.mpReach(2, safi, nextHop, nlri));

        // Then
        assertThat(set.nextHop()).isNotNull();
        assertThat(set.nextHop().text()).isEqualTo(address);
        assertThat(set.nextHop().linkLocalText()).isEqualTo(linkLocal);
        assertThat(set.nextHop().raw().hex()).isEqualTo(nextHop);
        assertThat(set.toJson()).contains("\"next_hop_attribute\":\"192.0.2.1\"");
    }

    @Test
    void omittedAttributesAreNotInTheJson() {
        // Given
        PathAttributes set = set(Updates.GOOD + Updates.mpReach(2, 1, "20010db8000000000000000000000001", "00"));

        // When
        String json = set.toJson(type -> type != AttributeCode.AS_PATH);

        // Then
        assertThat(json).isEqualTo("""
                {"as_path":"65001","family":"ipv6-unicast","next_hop_attribute":"192.0.2.1"}""");
    }

    @Test
    void emptyNextHopOfFlowSpecIsNone() {
        // When
        PathAttributes set = set(Updates.ORIGIN + Updates.AS_PATH + Updates.mpReach(1, 133, "", "03038106"));

        // Then
        assertThat(set.nextHop()).isNull();
        assertThat(set.toJson()).contains("\"family\":\"ipv4-flowspec\",\"next_hop\":null");
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', -1",
        "02020000fbf40000fbf5, 64500 64501, 64501",
        "02010000fbf401020000fbf50000fbf6, '64500 {64501,64502}', -1",
        "03020000fc000000fc0104020000fc020000fc0302010000fbf4, '(64512 64513) [64514,64515] 64500', 64500",
        "02010000fbf403010000fc00, 64500 (64512), 64500",
        "03010000fc00, (64512), -1",
    })
    void asPathTextAndOrigin(String hex, String text, long origin) {
        // When
        AsPath path = set(Updates.ORIGIN + Updates.attribute(0x40, 2, hex == null ? "" : hex) + Updates.NEXT_HOP)
                .asPath();

        // Then
        assertThat(path).isNotNull();
        assertThat(path.text()).isEqualTo(text);
        assertThat(path.originAsn().orElse(-1)).isEqualTo(origin);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "500100", // header cut
                "5001000200", // overrun
                "500300040a00000150010001" + "00", // out of order
                "5001000100" + "5001000100", // twice
                "500100020000", // wrong length
                "500200040201fde9", // two octets
                "900e00050001010000", // more than a next hop
                "900f0003000101", // MP_UNREACH_NLRI
            })
    void invalidSetIsRejected(String hex) {
        byte[] b = Bytes.ofHex(hex).toArray();

        assertThatExceptionOfType(DecodeException.class).isThrownBy(() -> PathAttributes.decode(b, 0, b.length));
    }

    private static PathAttributes set(String attributes) {
        boolean multiprotocol = attributes.contains("800e");
        byte[] b = Updates.update("", attributes, multiprotocol ? "" : Updates.PREFIX);
        UpdateDecoder decoder = new UpdateDecoder();
        decoder.decode(b, 0, b.length, UpdateContext.strict(true, AddPathFamilies.NONE));
        assertThat(decoder.outcomes()).isEmpty();
        ByteSink sink = new ByteSink();
        decoder.writeAttributes(0, sink);
        return PathAttributes.decode(sink.array(), 0, sink.position());
    }
}
