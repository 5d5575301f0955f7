package dev.silkroute.perf.rpki;

import dev.silkroute.net.IpPrefix;
import dev.silkroute.perf.decode.PrefixLengths;
import dev.silkroute.rpki.Vrp;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Different VRPs that follow from a seed: four of five are of IPv4, prefixes have the lengths of those in routing
 * tables, seven of ten have no longer maximum length, and an AS has about ten.
 */
final class VrpExport {
    private static final long SEED = 6811;
    private static final List<String> TRUST_ANCHORS = List.of("afrinic", "apnic", "arin", "lacnic", "ripe");
    private static final long EXPIRES = 1_795_999_999;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<Vrp> vrps;

    VrpExport(int count) {
        Set<Vrp> known = new HashSet<>();
        vrps = new ArrayList<>(count);
        int asn = 0;
        while (vrps.size() < count) {
            if (asn == 0 || random.nextInt(10) == 0) {
                asn = 1 + random.nextInt(400_000);
            }
            Vrp vrp = next(asn);
            if (known.add(vrp)) {
                vrps.add(vrp);
            }
        }
    }

    private Vrp next(int asn) {
        boolean isIpv4 = random.nextInt(5) > 0;
        int length = (isIpv4 ? PrefixLengths.IPV4 : PrefixLengths.IPV6).next(random);
        IpPrefix address = isIpv4
                ? new IpPrefix(false, 0, random.nextLong(0x0100_0000L, 0xE000_0000L), 32)
                : new IpPrefix(true, random.nextLong(0x2000L << 48, 0x3000L << 48), 0, 128);
        int longest = isIpv4 ? 24 : 48;
        int maxLength = random.nextInt(10) < 7 || length >= longest ? length : random.nextInt(length + 1, longest + 1);
        return new Vrp(address.truncate(length), maxLength, asn);
    }

    /** Writes them as Routinator does with the format {@code json}. */
    void writeJson(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("{\n  \"metadata\": {\"generated\": 1795900000, \"generatedTime\": \"2026-11-27T00:00:00Z\"},\n");
            out.write("  \"roas\": [\n");
            for (int i = 0; i < vrps.size(); i++) {
                Vrp vrp = vrps.get(i);
                out.write(
                        "    { \"asn\": \"AS%d\", \"prefix\": \"%s\", \"maxLength\": %d, \"ta\": \"%s\", \"expires\": %d }%s\n"
                                .formatted(
                                        vrp.asn(),
                                        vrp.prefix(),
                                        vrp.maxLength(),
                                        trustAnchor(i),
                                        EXPIRES,
                                        i + 1 < vrps.size() ? "," : ""));
            }
            out.write("  ]\n}\n");
        }
    }

    /** Writes them as rpki-client does with the option {@code -c}. */
    void writeCsv(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("ASN,IP Prefix,Max Length,Trust Anchor,Expires\n");
            for (int i = 0; i < vrps.size(); i++) {
                Vrp vrp = vrps.get(i);
                out.write("AS%d,%s,%d,%s,%d\n"
                        .formatted(vrp.asn(), vrp.prefix(), vrp.maxLength(), trustAnchor(i), EXPIRES));
            }
        }
    }

    private static String trustAnchor(int i) {
        return TRUST_ANCHORS.get(i % TRUST_ANCHORS.size());
    }
}
