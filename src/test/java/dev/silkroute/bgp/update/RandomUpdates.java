package dev.silkroute.bgp.update;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.AsPath.Segment;
import dev.silkroute.bgp.attribute.AsPath.SegmentType;
import dev.silkroute.bgp.attribute.AsPaths;
import dev.silkroute.bgp.attribute.AttributesEncoder;
import dev.silkroute.bgp.attribute.MoreAttributes;
import dev.silkroute.bgp.attribute.Origin;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Valid UPDATEs of every attribute and several families, the same for the same seed. */
public final class RandomUpdates {
    private static final long[] COMMUNITIES = {
        0x0002_fbf4_0000_0001L, // rt:64500:1
        0x0102_c000_0201_0007L, // rt:192.0.2.1:7
        0x0202_fa56_ea0b_0009L, // rt:4200000011:9
        0x0003_fbf4_0000_0002L, // soo:64500:2
        0x030c_0000_0000_0008L, // encap:vxlan
        0x0603_0011_2233_4455L, // router-mac:00:11:22:33:44:55
        0x0600_0100_0000_0007L, // mac-mobility:7:sticky
        0x0601_0100_0000_0640L, // esi-label:100:single-active
        0x030b_0000_0000_0064L, // color:100
        0x8006_fbf4_447a_0000L, // traffic-rate:64500:1000
        0x8008_fbf4_0000_0005L, // redirect:64500:5
        0x8009_0000_0000_002eL, // traffic-marking:46
    };
    /** rt:[2001:db8::1]:7 */
    private static final Bytes IPV6_COMMUNITY = Bytes.ofHex("000220010db80000000000000000000000010007");

    private static final int[] FAMILIES = {
        Family.IPV6_UNICAST,
        Family.IPV6_MULTICAST,
        Family.IPV4_MULTICAST,
        Family.IPV4_LABELED_UNICAST,
        Family.VPNV4,
        Family.VPNV6,
        Family.EVPN,
        Family.IPV4_FLOWSPEC,
        Family.RT_CONSTRAINT
    };

    /**
     * Values of attributes that are written from their bytes. The tunnels have no color: Wireshark 4.0 takes four bytes
     * for its sub-TLV and stumbles over the rest, while RFC 9012, Section 3.4.2 has eight.
     */
    private static final Object[][] RAW = {
        {23, "0008001a010c800000640011223344550000060a000000000001c0000201"},
        {
            23,
            "000f004c0c060000000000640d060000003e81ff0f020a0080002d0009060000000000010106000003e811ff"
                    + "0d1a000020010db8000000000000000000000001003e00002010100082000500676f6c64"
        },
        {29, "040200066e6f64653033040400040a0000010447000300000a"},
        {40, "0500220001001e0020010db800530000000000000000000000003e00010006201010001030"},
        {40, "010007000000000000640300080000003e80001f40"},
        {251, "beef"}
    };

    /** One field of NLRI. */
    public record Routes(int family, Bytes nlri, int count) {
        static final Routes NONE = new Routes(Family.IPV4_UNICAST, Bytes.EMPTY, 0);
    }

    /**
     * What was put into an UPDATE.
     *
     * @param attributes written with four-octet AS numbers, whatever the UPDATE has; without the MP attributes
     * @param nextHop of {@code reach}
     */
    public record Generated(
            byte[] update,
            boolean fourOctetAs,
            boolean addPath,
            Routes withdrawn,
            Routes unreach,
            Routes nlri,
            Routes reach,
            Bytes nextHop,
            Bytes attributes) {}

    private final Random random;

    public RandomUpdates(long seed) {
        random = new Random(seed);
    }

    public Generated next(boolean fourOctetAs, boolean addPath) {
        int family = FAMILIES[random.nextInt(FAMILIES.length)];
        Routes withdrawn = random.nextInt(3) == 0 ? routes(Family.IPV4_UNICAST, addPath, true) : Routes.NONE;
        Routes unreach = random.nextInt(3) == 0 ? routes(family, addPath, true) : Routes.NONE;
        Routes nlri = random.nextBoolean() ? routes(Family.IPV4_UNICAST, addPath, false) : Routes.NONE;
        Routes reach = nlri.count() == 0 || random.nextInt(3) == 0 ? routes(family, addPath, false) : Routes.NONE;
        Bytes nextHop = nextHop(family);
        List<Consumer<AttributesEncoder>> attributes = attributes(fourOctetAs, nlri.count() > 0);

        ByteSink out = new ByteSink();
        UpdateEncoder encoder = new UpdateEncoder(out, fourOctetAs, random.nextBoolean());
        encoder.begin().raw(withdrawn.nlri());
        AttributesEncoder encoded = encoder.attributes();
        if (unreach.count() > 0) {
            encoded.mpUnreach(family, unreach.nlri());
        }
        attributes.forEach(attribute -> attribute.accept(encoded));
        if (reach.count() > 0) {
            MoreAttributes.mpReach(encoded, family, nextHop, reach.nlri());
        }
        encoder.nlri().raw(nlri.nlri());
        encoder.end();
        ByteSink wide = new ByteSink();
        attributes.forEach(attribute -> attribute.accept(new AttributesEncoder(wide, true)));
        return new Generated(
                out.toByteArray(),
                fourOctetAs,
                addPath,
                withdrawn,
                unreach,
                nlri,
                reach,
                nextHop,
                Bytes.of(wide.toByteArray()));
    }

    /** The families whose routes {@link #next} makes. */
    public static int[] families() {
        return FAMILIES.clone();
    }

    private List<Consumer<AttributesEncoder>> attributes(boolean fourOctetAs, boolean nextHop) {
        List<Consumer<AttributesEncoder>> all = new ArrayList<>();
        Origin origin = Origin.of(random.nextInt(3));
        all.add(a -> a.origin(origin));
        AsPath path = path(fourOctetAs);
        all.add(a -> a.asPath(path));
        if (nextHop) {
            int address = address();
            all.add(a -> a.nextHop(address));
        }
        some(all, a -> a::med);
        some(all, a -> a::localPref);
        if (random.nextInt(4) == 0) {
            all.add(AttributesEncoder::atomicAggregate);
        }
        int aggregator = (int) asn();
        int aggregatorAddress = address();
        if (random.nextInt(4) == 0) {
            all.add(a -> a.aggregator(aggregator, aggregatorAddress));
        }
        int[] communities = random.ints(1 + random.nextInt(80)).toArray();
        if (random.nextBoolean()) {
            all.add(a -> a.communities(communities, communities.length));
        }
        some(all, a -> a::originatorId);
        int[] clusters = random.ints(1 + random.nextInt(3)).toArray();
        if (random.nextInt(4) == 0) {
            all.add(a -> a.clusterList(clusters));
        }
        long[] extended = random.ints(1 + random.nextInt(40), 0, COMMUNITIES.length)
                .mapToLong(i -> COMMUNITIES[i])
                .toArray();
        if (random.nextInt(3) == 0) {
            all.add(a -> a.extendedCommunities(extended));
        }
        rare(all);
        return all;
    }

    private void rare(List<Consumer<AttributesEncoder>> all) {
        int label = random.nextInt(1 << 20) << 4 | 1;
        if (random.nextInt(6) == 0) {
            all.add(a -> MoreAttributes.pmsiTunnel(a, 0, 6, label, Bytes.ofHex("c0000201")));
        }
        if (random.nextInt(6) == 0) {
            all.add(a -> a.ipv6ExtendedCommunities(List.of(IPV6_COMMUNITY)));
        }
        long metric = random.nextLong();
        if (random.nextInt(6) == 0) {
            all.add(a -> MoreAttributes.aigp(a, metric));
        }
        int[] large = random.ints(3 * (1 + random.nextInt(30))).toArray();
        if (random.nextInt(3) == 0) {
            all.add(a -> a.largeCommunities(large, large.length));
        }
        some(all, a -> value -> MoreAttributes.onlyToCustomer(a, value));
        if (random.nextInt(6) == 0) {
            ByteSink inner = new ByteSink();
            new AttributesEncoder(inner, true)
                    .origin(Origin.IGP)
                    .asPath(AsPaths.parse("64500 4200000011"))
                    .localPref(100);
            Bytes set = Bytes.of(inner.toByteArray());
            all.add(a -> MoreAttributes.attrSet(a, 64500, set));
        }
        Object[] raw = RAW[random.nextInt(RAW.length)];
        if (random.nextInt(3) == 0) {
            all.add(a -> a.attribute((int) raw[0], Bytes.ofHex((String) raw[1])));
        }
    }

    private interface Setter {
        AttributesEncoder set(int value);
    }

    private interface Choice {
        Setter of(AttributesEncoder encoder);
    }

    private void some(List<Consumer<AttributesEncoder>> all, Choice choice) {
        int value = random.nextInt();
        if (random.nextInt(3) == 0) {
            all.add(a -> choice.of(a).set(value));
        }
    }

    private AsPath path(boolean fourOctetAs) {
        List<Segment> segments = new ArrayList<>();
        if (fourOctetAs && random.nextInt(8) == 0) {
            segments.add(segment(SegmentType.CONFED_SEQUENCE, 1 + random.nextInt(3)));
        }
        if (random.nextInt(20) > 0) {
            segments.add(segment(SegmentType.SEQUENCE, random.nextInt(40) == 0 ? 255 : 1 + random.nextInt(8)));
        }
        if (random.nextInt(8) == 0) {
            segments.add(segment(SegmentType.SET, 1 + random.nextInt(4)));
        }
        return new AsPath(segments);
    }

    private Segment segment(SegmentType type, int count) {
        return new Segment(
                type, LongStream.generate(this::asn).limit(count).boxed().toList());
    }

    private long asn() {
        return random.nextBoolean() ? 64496 + random.nextInt(16) : 4_200_000_000L + random.nextInt(1000);
    }

    private int address() {
        return 0xC000_0200 | random.nextInt(256);
    }

    private Bytes nextHop(int family) {
        String v6 = "20010db800000000000000000000" + String.format("%04x", random.nextInt(65536));
        return Bytes.ofHex(
                switch (family) {
                    case Family.VPNV4 -> "0000000000000000c0000201";
                    case Family.VPNV6 -> "0000000000000000" + v6;
                    case Family.IPV6_UNICAST -> random.nextBoolean() ? v6 : v6 + "fe800000000000000000000000000001";
                    case Family.IPV6_MULTICAST -> v6;
                    case Family.IPV4_FLOWSPEC -> "";
                    default -> "c0000201";
                });
    }

    private Routes routes(int family, boolean addPath, boolean withdrawal) {
        ByteSink out = new ByteSink();
        int count = 1 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            if (addPath) {
                out.u32(random.nextInt(1000));
            }
            nlri(family, withdrawal, out);
        }
        return new Routes(family, Bytes.of(out.toByteArray()), count);
    }

    private void nlri(int family, boolean withdrawal, ByteSink out) {
        int label = withdrawal ? 0x800000 : random.nextInt(1 << 20) << 4 | 1;
        switch (family) {
            case Family.IPV6_UNICAST, Family.IPV6_MULTICAST ->
                prefix(0, 48, 0x20010db80000L | random.nextInt(65536), out);
            case Family.IPV4_LABELED_UNICAST -> {
                out.u8(24 + 24).u8(label >>> 16).u16(label);
                bytes(0x0A0000L | random.nextInt(65536), 3, out);
            }
            case Family.VPNV4 -> {
                out.u8(24 + 64 + 24).u8(label >>> 16).u16(label).i64(0x0000_fbf4_0000_0001L);
                bytes(0x0A0000L | random.nextInt(65536), 3, out);
            }
            case Family.VPNV6 -> {
                out.u8(24 + 64 + 48).u8(label >>> 16).u16(label).i64(0x0000_fbf4_0000_0001L);
                bytes(0x20010db80000L | random.nextInt(65536), 6, out);
            }
            case Family.EVPN ->
                out.u8(3)
                        .u8(17)
                        .i64(0x0001_c000_0201_0001L)
                        .u32(random.nextInt(1000))
                        .u8(32)
                        .u32(address());
            case Family.IPV4_FLOWSPEC -> out.u8(5).u8(1).u8(24).u8(10).u16(random.nextInt(65536));
            case Family.RT_CONSTRAINT -> out.u8(96).u32(64500).u16(2).u16(64500).u32(random.nextInt(1000));
            default -> prefix(0, 24, 0x0A0000L | random.nextInt(65536), out);
        }
    }

    private static void prefix(int extra, int bits, long address, ByteSink out) {
        out.u8(bits + extra);
        bytes(address, bits / 8, out);
    }

    private static void bytes(long value, int count, ByteSink out) {
        for (int i = count - 1; i >= 0; i--) {
            out.u8((int) (value >>> 8 * i));
        }
    }
}
