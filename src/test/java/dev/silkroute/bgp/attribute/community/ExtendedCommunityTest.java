package dev.silkroute.bgp.attribute.community;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void communityHasItsText(String hex, String text) {
        assertThat(ExtendedCommunity.text(Long.parseUnsignedLong(hex, 16))).isEqualTo(text);
    }

    @Test
    void smallAsNumberInFourOctetsReadsLikeTwoOctets() {
        long two = 0x0002_fbf4_0000_0001L;
        long four = 0x0202_0000_fbf4_0001L;

        assertThat(ExtendedCommunity.text(four)).isEqualTo("rt:64500:1");
        assertThat(ExtendedCommunity.text(two)).isEqualTo("rt:64500:1");
        assertThat(ExtendedCommunity.hasUniqueText(four)).isFalse();
        assertThat(ExtendedCommunity.hasUniqueText(two)).isTrue();
    }

    @Test
    void communitiesWithUniqueTextsHaveDifferentTexts() {
        // Given: random bytes after every type and sub-type, with more zeros than random bytes have, and their
        // neighbors
        Random random = new Random(7);
        Map<String, Long> seen = new HashMap<>();
        for (int code = 0; code < 0x10000; code++) {
            long value = random.nextLong() >>> 16 & random.nextLong() & random.nextLong();
            for (int bit = -1; bit < 48; bit++) {
                long community = (long) code << 48 | (bit < 0 ? value : value ^ 1L << bit);

                // When
                String text = ExtendedCommunity.text(community);

                // Then
                if (ExtendedCommunity.hasUniqueText(community)) {
                    Long other = seen.put(text, community);
                    assertThat(other == null || other == community).as(text).isTrue();
                }
            }
            if ((code & 0xFF) == 0xFF) {
                seen.clear();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "000220010db80000000000000000000000010007, rt:[2001:db8::1]:7",
        "000300000000000000000000ffffc00002010007, soo:[::ffff:192.0.2.1]:7",
        "000d20010db80000000000000000000000010000, redirect:[2001:db8::1]:0",
        "00ff20010db80000000000000000000000010007, 0x00ff20010db80000000000000000000000010007",
    })
    void ipv6CommunityHasItsText(String hex, String text) {
        assertThat(Ipv6ExtendedCommunity.text(Bytes.ofHex(hex).toArray(), 0)).isEqualTo(text);
    }
}
