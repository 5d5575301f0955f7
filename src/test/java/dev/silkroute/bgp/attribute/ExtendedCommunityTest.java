package dev.silkroute.bgp.attribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.silkroute.net.Bytes;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExtendedCommunityTest {

    @ParameterizedTest
    @CsvSource({
        "0002fbf400000001, rt:64500:1",
        "0002fbf4ffffffff, rt:64500:4294967295",
        "0102c0000201ffff, rt:192.0.2.1:65535",
        "0202fa56ea0b0007, rt:4200000011:7",
        "0003fbf400000001, soo:64500:1",
        "4002fbf400000001, 0x4002fbf400000001",
        "01070a0000010000, ospf-router-id:10.0.0.1:0",
        "0306000000000501, ospf-route-type:0.0.0.0:5:1",
        "030b000000000064, color:100",
        "030b400000000064, color:0x4000:100",
        "030c000000000008, encap:vxlan",
        "030c000000000063, encap:99",
        "030c000000010008, 0x030c000000010008",
        "030d000000000000, default-gateway",
        "030d000000000001, 0x030d000000000001",
        "4004fbf44cee6b28, link-bandwidth:64500:125000000",
        "4004fbf43f000000, link-bandwidth:64500:0.5",
        "4004fbf47fc00000, 0x4004fbf47fc00000",
        "4300000000000002, validation-state:invalid",
        "0600010000000007, mac-mobility:7:sticky",
        "0600000000000007, mac-mobility:7",
        "0600020000000007, 0x0600020000000007",
        "0601010000000640, esi-label:100:single-active",
        "0601000000000641, esi-label:0x000641:all-active",
        "0602001122334455, es-import:00:11:22:33:44:55",
        "0603001122334455, router-mac:00:11:22:33:44:55",
        "0604000205dc0000, l2-attributes:0x0002:1500",
        "0605010000000640, e-tree:100:leaf",
        "0606024000000064, df-election:2:0x4000:100",
        "8006fbf400000000, traffic-rate:64500:0",
        "8007000000000003, traffic-action:sample-terminal",
        "8007000000000001, traffic-action:terminal",
        "8008fbf400000001, redirect:64500:1",
        "8108c00002010001, redirect:192.0.2.1:1",
        "8208fa56ea0b0001, redirect:4200000011:1",
        "800900000000002e, traffic-marking:46",
        "8009000000000040, 0x8009000000000040",
        "0800000000000001, redirect-to-next-hop:copy",
        "800a130005dc0064, l2-info:19:0x00:1500:100",
        "ffffffffffffffff, 0xffffffffffffffff",
    })
    void textAndBack(String hex, String text) {
        long community = Long.parseUnsignedLong(hex, 16);

        assertThat(ExtendedCommunity.text(community)).isEqualTo(text);
        assertThat(ExtendedCommunity.parse(text)).isEqualTo(community);
    }

    @Test
    void smallAsNumberInFourOctetsReadsLikeTwo() {
        long four = 0x0202_0000_fbf4_0001L;

        assertThat(ExtendedCommunity.text(four)).isEqualTo("rt:64500:1");
        assertThat(ExtendedCommunity.parse("rt:64500:1")).isEqualTo(0x0002_fbf4_0000_0001L);
        assertThat(ExtendedCommunity.isExact(four)).isFalse();
    }

    @Test
    void everyCommunityHasATextThatReadsBack() {
        // Given: any bytes behind every type and sub-type, zeros more often than chance has them
        Random random = new Random(7);
        for (int code = 0; code < 0x10000; code++) {
            for (int i = 0; i < 4; i++) {
                long value = random.nextLong() >>> 16 & (i == 0 ? -1 : random.nextLong() & random.nextLong());
                long community = (long) code << 48 | value & 0xFFFF_FFFF_FFFFL;

                // When
                String text = ExtendedCommunity.text(community);

                // Then
                long back = ExtendedCommunity.parse(text);
                boolean four = (code >>> 8 & 0x3F) == 2 || code == 0x060c;
                if (!four || (value >>> 16 & 0xFFFF_FFFFL) > 0xFFFF) {
                    assertThat(back).as(text).isEqualTo(community);
                }
                assertThat(ExtendedCommunity.text(back)).isEqualTo(text);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "rt",
                "rt:",
                "rt:1",
                "rt:1:2:3",
                "rt:4294967296:1",
                "rt:-1:1",
                "rt:4200000011:65536",
                "rt:192.0.2:1",
                "rt:192.0.2.256:1",
                "color:0x10000:1",
                "encap:nothing",
                "traffic-rate:64500:NaN",
                "traffic-rate:64500:-1",
                "mac-mobility:1:slippery",
                "router-mac:00:11:22:33:44",
                "default-gateway:1",
                "0x12",
                "0xzzzzzzzzzzzzzzzz",
                "nonsense:1:2",
            })
    void whatIsNoTextIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ExtendedCommunity.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "000220010db80000000000000000000000010007, rt:[2001:db8::1]:7",
        "000300000000000000000000ffffc00002010007, soo:[::ffff:192.0.2.1]:7",
        "000d20010db80000000000000000000000010000, redirect:[2001:db8::1]:0",
        "00ff20010db80000000000000000000000010007, 0x00ff20010db80000000000000000000000010007",
    })
    void ipv6TextAndBack(String hex, String text) {
        Bytes community = Bytes.ofHex(hex);

        assertThat(Ipv6ExtendedCommunity.text(community)).isEqualTo(text);
        assertThat(Ipv6ExtendedCommunity.parse(text)).isEqualTo(community);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "rt:1:2", "rt:[2001:db8::1]", "rt:[example.org]:1", "rt:[::1]:65536", "no:[::1]:1"})
    void whatIsNoIpv6TextIsRefused(String text) {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> Ipv6ExtendedCommunity.parse(text));
    }
}
