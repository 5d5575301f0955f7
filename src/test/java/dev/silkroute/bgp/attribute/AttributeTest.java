package dev.silkroute.bgp.attribute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.DecodeOutcome.Kind;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The faults of RFC 7606, Section 7, and of the attributes' own specifications. */
class AttributeTest {
    private static AttributeFault check(int flags, int type, String hex) {
        byte[] b = Bytes.ofHex("ffff" + hex + "ffff").toArray();
        return Attribute.check(type, flags, b, 2, b.length - 2);
    }

    @ParameterizedTest
    @CsvSource({
        "40, 1, '', ORIGIN",
        "40, 1, 03, ORIGIN",
        "40, 1, ff, ORIGIN",
        "40, 1, 0000, ORIGIN",
        "40, 3, c00002, NEXT_HOP",
        "80, 4, 0000000000, MULTI_EXIT_DISC",
        "40, 5, '', LOCAL_PREF",
        "40, 6, 00, ATOMIC_AGGREGATE",
        "c0, 8, '', COMMUNITIES",
        "c0, 8, fbf400, COMMUNITIES",
        "80, 9, 0a0000, ORIGINATOR_ID",
        "80, 10, '', CLUSTER_LIST",
        "80, 10, 0a00000100, CLUSTER_LIST",
        "c0, 16, '', EXTENDED_COMMUNITIES",
        "c0, 16, 00020000000000, EXTENDED_COMMUNITIES",
        "c0, 17, '', AS4_PATH",
        "c0, 17, 02010000, AS4_PATH",
        "c0, 17, 0200, AS4_PATH",
        "c0, 18, fbf4c0000201, AS4_AGGREGATOR",
        "c0, 22, 00060006, PMSI_TUNNEL",
        "c0, 22, 0006000641c00002, PMSI_TUNNEL",
        "c0, 22, 0001000641c0000201, PMSI_TUNNEL",
        "c0, 22, 00020006410600010400000a0000, PMSI_TUNNEL",
        "c0, 22, 0003000641c0000201, PMSI_TUNNEL",
        "c0, 23, '', TUNNEL_ENCAPSULATION",
        "c0, 23, 000800, TUNNEL_ENCAPSULATION",
        "c0, 23, 00080002abcd, TUNNEL_ENCAPSULATION",
        "c0, 23, 0008000405030000, TUNNEL_ENCAPSULATION",
        "c0, 23, 0008000105, TUNNEL_ENCAPSULATION",
        "c0, 25, 0002, IPV6_EXTENDED_COMMUNITIES",
        "80, 26, 01000c00000000000000002a, AIGP",
        "80, 26, 010002, AIGP",
        "80, 26, 0100, AIGP",
        "c0, 26, 01000b000000000000002a, AIGP_FLAGS",
        "80, 29, 040200, BGP_LS",
        "80, 29, 04020002aa, BGP_LS",
        "c0, 32, '', LARGE_COMMUNITIES",
        "c0, 32, 0000fbf400000001, LARGE_COMMUNITIES",
        "c0, 35, fbf4, ONLY_TO_CUSTOMER",
        "c0, 40, '', PREFIX_SID",
        "c0, 40, 010006000000000000, PREFIX_SID",
        "c0, 40, 01000700000000, PREFIX_SID",
        "c0, 40, 03000400000000, PREFIX_SID",
        "c0, 40, 0300080000003e80001f, PREFIX_SID",
        "c0, 40, 050000, SRV6_SERVICE",
        "c0, 40, 0500040001000a, SRV6_SERVICE",
        "c0, 40, 05000500010001ff, SRV6_SERVICE",
        "c0, 40, 060004000100ff, SRV6_SERVICE",
        "c0, 128, 0000fb, ATTR_SET",
        "c0, 128, 0000fbf440, ATTR_SET",
        "c0, 128, 0000fbf4400102, ATTR_SET",
        "c0, 128, 0000fbf440010200, ATTR_SET",
        "80, 1, 00, FLAGS",
        "40, 8, fbf40001, FLAGS",
        "c0, 9, 0a000001, FLAGS",
        "80, 128, 0000fbf4, FLAGS",
        "40, 251, 00, UNRECOGNIZED_WELL_KNOWN",
    })
    void malformed(String flags, int type, String hex, String fault) {
        assertThat(check(Integer.parseInt(flags, 16), type, hex)).isSameAs(fault(fault));
    }

    /** The fault of an attribute, or one that is not of a single attribute. */
    private static AttributeFault fault(String name) {
        return switch (name) {
            case "FLAGS" -> AttributeFault.FLAGS;
            case "AIGP_FLAGS" -> AttributeFault.AIGP_FLAGS;
            case "SRV6_SERVICE" -> AttributeFault.SRV6_SERVICE;
            case "DUPLICATE" -> AttributeFault.DUPLICATE;
            case "UNRECOGNIZED_WELL_KNOWN" -> AttributeFault.UNRECOGNIZED_WELL_KNOWN;
            default -> Attribute.valueOf(name).malformed();
        };
    }

    @ParameterizedTest
    @CsvSource({
        "c0, 22, 0000000000",
        "c0, 22, 0000000000c0000201",
        "c0, 22, 00fe000641abcdef",
        "c0, 22, 000600064120010db8000000000000000000000001",
        "c0, 22, 0002000641060001040a0000010007010004000000aa",
        "c0, 23, 00ff0000",
        "c0, 23, 0008000480000100",
        "c0, 23, 00080003ee0000",
        "80, 26, ''",
        "80, 26, 020003",
        "80, 26, 01000b000000000000002a01000b000000000000002b",
        "80, 29, ''",
        "80, 29, 04470000",
        "c0, 40, 630001aa",
        "c0, 40, 05000100",
        "c0, 40, 05000400020000",
        "c0, 128, 0000fbf4",
        "e0, 251, beef",
        "80, 251, ''",
    })
    void wellFormed(String flags, int type, String hex) {
        assertThat(check(Integer.parseInt(flags, 16), type, hex)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "ATOMIC_AGGREGATE, ATTRIBUTE_DISCARD",
        "AGGREGATOR, ATTRIBUTE_DISCARD",
        "AS4_PATH, ATTRIBUTE_DISCARD",
        "AS4_AGGREGATOR, ATTRIBUTE_DISCARD",
        "AIGP, ATTRIBUTE_DISCARD",
        "AIGP_FLAGS, ATTRIBUTE_DISCARD",
        "BGP_LS, ATTRIBUTE_DISCARD",
        "PREFIX_SID, ATTRIBUTE_DISCARD",
        "DUPLICATE, ATTRIBUTE_DISCARD",
        "SRV6_SERVICE, TREAT_AS_WITHDRAW",
        "PMSI_TUNNEL, TREAT_AS_WITHDRAW",
        "TUNNEL_ENCAPSULATION, TREAT_AS_WITHDRAW",
        "LARGE_COMMUNITIES, TREAT_AS_WITHDRAW",
        "IPV6_EXTENDED_COMMUNITIES, TREAT_AS_WITHDRAW",
        "ONLY_TO_CUSTOMER, TREAT_AS_WITHDRAW",
        "ATTR_SET, TREAT_AS_WITHDRAW",
        "LOCAL_PREF, TREAT_AS_WITHDRAW",
        "FLAGS, TREAT_AS_WITHDRAW",
    })
    void faultHasItsConsequence(String fault, Kind kind) {
        assertThat(fault(fault).kind()).isEqualTo(kind);
        assertThat(fault(fault).section()).startsWith("RFC ");
    }

    @ParameterizedTest
    @ValueSource(ints = {22, 23, 26, 29, 40, 128})
    void randomTlvsAreAFaultOrKeepTheirBytes(int type) {
        // Given
        Random random = new Random(type);
        int flags = Attribute.flags(type);
        int good = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] b = randomTlvs(type, random);

            // When
            AttributeFault fault = Attribute.check(type, flags, b, 0, b.length);

            // Then
            if (fault == null) {
                good++;
                String json = AttributeExamples.set(flags, type, Bytes.of(b)).toJson();
                if (i % 20 == 0) {
                    AttributeSchema.check(json);
                }
                assertThat(AttributeBytes.of(type, json)).as(json).isEqualTo(Bytes.of(b));
            }
        }
        assertThat(good).isGreaterThan(500);
    }

    /** TLVs of the attribute's own types and of lengths that often fit, one level deep; sometimes cut. */
    private static byte[] randomTlvs(int type, Random random) {
        ByteSink out = new ByteSink();
        if (type == AttributeCode.PMSI_TUNNEL) {
            out.u8(random.nextInt(2)).u8(random.nextInt(16)).u8(0).u16(random.nextInt(65536));
            int[] lengths = {0, 4, 8, 12, 16, 24, 32};
            fill(out, random, lengths[random.nextInt(lengths.length)]);
        } else if (type == AttributeCode.ATTR_SET) {
            out.u32(random.nextInt());
            for (int i = random.nextInt(4); i > 0; i--) {
                int inner = 1 + random.nextInt(40);
                int length = random.nextInt(9);
                out.u8(Attribute.flags(inner)).u8(inner).u8(length);
                fill(out, random, length);
            }
        } else {
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                tlv(type, out, random);
            }
        }
        int length = random.nextInt(10) == 0 ? random.nextInt(out.position() + 1) : out.position();
        return Bytes.copyOf(out.array(), 0, length).toArray();
    }

    private static void tlv(int type, ByteSink out, Random random) {
        int[] linkState = {263, 266, 1024, 1026, 1028, 1029, 1034, 1035, 1089, 1091, 1095, 1096, 1099, 1106, 1114, 1115
        };
        switch (type) {
            case AttributeCode.AIGP -> {
                int code = 1 + random.nextInt(3);
                int length = code == 1 ? 8 : random.nextInt(9);
                out.u8(code).u16(3 + length);
                fill(out, random, length);
            }
            case AttributeCode.BGP_LS -> {
                int length = random.nextInt(33);
                out.u16(linkState[random.nextInt(linkState.length)] + random.nextInt(2))
                        .u16(length);
                fill(out, random, length);
            }
            case AttributeCode.PREFIX_SID -> {
                int code = 1 + random.nextInt(7);
                int[] lengths = {7, 7, 8, 14, 1, 25, 31, 28};
                int length = lengths[random.nextInt(lengths.length)];
                out.u8(code).u16(length);
                int at = out.position();
                fill(out, random, length);
                if (code >= 5 && length > 24) {
                    out.patchU8(at + 1, 1).patchU16(at + 2, length - 4);
                    if (length > 25) {
                        out.patchU8(at + 25, 1).patchU16(at + 26, length - 28);
                    }
                }
            }
            default -> {
                ByteSink tunnel = new ByteSink();
                for (int i = random.nextInt(4); i > 0; i--) {
                    int sub = random.nextInt(4) == 0 ? 128 + random.nextInt(4) : random.nextInt(22);
                    int length = random.nextInt(28);
                    tunnel.u8(sub);
                    if (sub < 128) {
                        tunnel.u8(length);
                    } else {
                        tunnel.u16(length);
                    }
                    fill(tunnel, random, length);
                }
                out.u16(random.nextInt(20)).u16(tunnel.position()).bytes(tunnel.array(), 0, tunnel.position());
            }
        }
    }

    private static void fill(ByteSink out, Random random, int length) {
        for (int i = 0; i < length; i++) {
            out.u8(random.nextInt(3) == 0 ? random.nextInt(256) : random.nextInt(3));
        }
    }

    @Test
    void checksNeverReadPastTheEndOfTheArray() {
        // Given: a value that ends where the array ends
        Random random = new Random(99);
        for (int i = 0; i < 100_000; i++) {
            byte[] b = new byte[random.nextInt(12)];
            random.nextBytes(b);
            int type = random.nextInt(256);

            // When, then: no exception
            AttributeFault fault = Attribute.check(type, Attribute.flags(type), b, 0, b.length);
            assertThat(fault == null || fault.kind() != null).isTrue();
        }
    }
}
