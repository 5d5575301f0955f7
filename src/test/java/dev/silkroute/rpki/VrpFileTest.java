package dev.silkroute.rpki;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.net.IpPrefix;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the forms in which Routinator and rpki-client write VRPs and ASPAs, and local exceptions. */
class VrpFileTest {
    private static final List<Vrp> EXPECTED = List.of(
            new Vrp(IpPrefix.parse("192.0.2.0/24"), 26, 64500),
            new Vrp(IpPrefix.parse("2001:db8::/32"), 48, Integer.parseUnsignedInt("4200000000")));

    @TempDir
    private Path folder;

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("vrps"), content);
    }

    @Test
    void readsRoutinatorsJson() throws IOException {
        VrpFile.Content content = VrpFile.read(file("""
                        {
                          "metadata": { "generated": 1790000000, "generatedTime": "2026-09-21T14:13:20Z" },
                          "roas": [
                            { "asn": "AS64500", "prefix": "192.0.2.0/24", "maxLength": 26, "ta": "ripe" },
                            { "asn": "AS4200000000", "prefix": "2001:db8::/32", "maxLength": 48, "ta": "arin" }
                          ],
                          "routerKeys": [ { "asn": "AS64500" } ],
                          "aspas": [
                            { "customer": "AS64500", "providers": ["AS64511", "AS64510"], "ta": "ripe" },
                            { "customer": "AS64501", "providers": ["AS0"], "source": [ { "providers": [1] } ] }
                          ]
                        }
                        """));
        assertThat(content.vrps().toList()).isEqualTo(EXPECTED);
        assertThat(content.aspas())
                .containsExactly(new Aspa(64500, List.of(64510, 64511)), new Aspa(64501, List.of(0)));
        assertThat(content.rejectedAspas()).isZero();
    }

    @Test
    void readsRpkiClientsJson() throws IOException {
        VrpFile.Content content = VrpFile.read(file("""
                        {"metadata":{"buildmachine":"x","roas":2},"roas":[
                        { "asn": 64500, "prefix": "192.0.2.0/24", "maxLength": 26, "ta": "ripe", "expires": 1790000000 },
                        { "asn": 4200000000, "prefix": "2001:db8::/32", "maxLength": 48, "ta": "arin", "expires": 1790000000 }
                        ],"bgpsec_keys":[],"aspas":[
                        { "customer_asid": 64500, "expires": 1790000000, "providers": [ 4200000000, 64510 ] } ]}
                        """));
        assertThat(content.vrps().toList()).isEqualTo(EXPECTED);
        assertThat(content.aspas())
                .containsExactly(new Aspa(64500, List.of(64510, Integer.parseUnsignedInt("4200000000"))));
        assertThat(content.rejectedAspas()).isZero();
    }

    @Test
    void readsCsvWithAnyColumnsBehind() throws IOException {
        assertThat(VrpFile.read(file("""
                        ASN,IP Prefix,Max Length,Trust Anchor
                        AS64500,192.0.2.0/24,26,ripe
                        AS4200000000,2001:db8::/32,48,arin
                        """)).vrps().toList()).isEqualTo(EXPECTED);
        assertThat(VrpFile.read(file(
                                "ASN,IP Prefix,Max Length,Trust Anchor,Expires\nAS64500,192.0.2.0/24,,ripe,17900\n"))
                        .vrps()
                        .toList())
                .containsExactly(new Vrp(IpPrefix.parse("192.0.2.0/24"), 24, 64500));
    }

    /** In 2023, rpki-client wrote an object with the ASPAs of each IP version. */
    @Test
    void entriesThatAreNotAspasAreCountedAndTheRestIsRead() throws IOException {
        String vrps = "\"roas\": [{\"asn\": 1, \"prefix\": \"192.0.2.0/24\"}]}";
        assertThat(VrpFile.read(file("{\"aspas\": {\"ipv4\": [{\"customer_asid\": 1, \"providers\": [2]}]}, " + vrps))
                        .aspas())
                .isEmpty();
        String tooMany = String.join(",", Collections.nCopies(Aspa.MAX_PROVIDERS + 1, "2"));
        VrpFile.Content content = VrpFile.read(file("{\"aspas\": ["
                + "{\"customer_asid\": 1}, {\"providers\": [2]}, {\"customer_asid\": 1, \"providers\": []},"
                + " {\"customer_asid\": 1, \"providers\": [\"x\"]}, {\"customer\": {\"a\": [1]}, \"providers\": [2]},"
                + " {\"customer\": 1, \"providers\": [2, null]}, {\"customer\": 1, \"providers\": [[3]]},"
                + " {\"customer\": 1, \"providers\": 2}, 7, [{\"customer\": 1, \"providers\": [2]}],"
                + " {\"customer\": 1, \"providers\": [" + tooMany + "]},"
                + " {\"customer\": 4, \"providers\": [5]}], " + vrps));
        assertThat(content.aspas()).containsExactly(new Aspa(4, List.of(5)));
        assertThat(content.rejectedAspas()).isEqualTo(11);
        assertThat(content.vrps().size()).isEqualTo(1);
    }

    @Test
    void theNumberOfProvidersIsBounded() throws IOException {
        Path large = folder.resolve("large.json");
        String providers = IntStream.rangeClosed(1, Aspa.MAX_PROVIDERS)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(","));
        try (BufferedWriter out = Files.newBufferedWriter(large)) {
            out.write("{\"aspas\": [");
            for (int i = 0; i <= AspaTable.MAX_PROVIDERS / Aspa.MAX_PROVIDERS; i++) {
                out.write((i == 0 ? "" : ",") + "{\"customer\":" + i + ",\"providers\":[" + providers + "]}");
            }
            out.write("], \"roas\": []}");
        }
        assertThatThrownBy(() -> VrpFile.read(large))
                .isInstanceOf(IOException.class)
                .hasMessage(large + ": the ASPAs have more than 1000000 providers");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"roas\": [{\"asn\": \"AS1\", \"prefix\": \"192.0.2.0/99\"}]}"
                        + "|, line 1: '192.0.2.0/99' is not a valid IPv4 prefix",
                "{\"roas\": [{\"asn\": \"ASx\", \"prefix\": \"192.0.2.0/24\"}]}|, line 1: 'ASx' is not a valid AS number",
                "{\"roas\": [{\"asn\": 4294967296, \"prefix\": \"192.0.2.0/24\"}]}"
                        + "|, line 1: '4294967296' is not a valid AS number",
                "{\"roas\": [{\"prefix\": \"192.0.2.0/24\"}]}|, line 1: a VRP has no AS number",
                "{\"roas\": [{\"asn\": 1}]}|, line 1: a VRP has no prefix",
                "{\"roas\": [{\"asn\": 1, \"prefix\": \"192.0.2.0/24\", \"maxLength\": 8}]}"
                        + "|, line 1: the maximum length 8 of 192.0.2.0/24 is not between 24 and 32",
                "{\"vrps\": []}|: there is no array \"roas\"",
                "{\"roas\": [|, line 1: invalid JSON: Unexpected end-of-input",
                "ASN,Prefix|: the header line has no column \"IP Prefix\"",
            })
    void anInvalidFileIsRejectedWithItsPlace(String content, String message) throws IOException {
        Path file = file(content);
        assertThatThrownBy(() -> VrpFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(message);
    }

    @Test
    void aPlaceIsTheLineWhereTheEntryBegins() throws IOException {
        Path file = file("""
                {"roas": [
                {"asn": 1, "prefix": "192.0.2.0/24"},
                {"asn": 1,
                 "prefix": "192.0.2.0/24",
                 "maxLength": 33}
                ]}
                """);
        assertThatThrownBy(() -> VrpFile.read(file))
                .hasMessage(file + ", line 3: the maximum length 33 of 192.0.2.0/24 is not between 24 and 32");
        assertThatThrownBy(() -> VrpFile.read(file("ASN,IP Prefix,Max Length\nAS1,192.0.2.0/24,\nAS1,192.0.2.0,x\n")))
                .hasMessage(file + ", line 3: 'x' is not a valid maximum length");
    }

    @Test
    void textThatIsNotUtf8IsRejected() throws IOException {
        Path file = folder.resolve("vrps");
        Files.write(file, "{\"roas\":\n [{\"asn\": 1, \"prefix\": \"\u00ff\"}]}".getBytes(ISO_8859_1));
        assertThatThrownBy(() -> VrpFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ", line 2: invalid JSON: Invalid UTF-8");
    }

    /** The parser of CSV reads the header and the other lines in different ways. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5_000})
    void csvThatCannotBeParsedIsRejected(int entries) throws IOException {
        String csv = "ASN,IP Prefix,Max Length,\n" + "AS1,192.0.2.0/24,\n".repeat(entries);
        Path file = file(csv);
        assertThat(VrpFile.read(file).vrps().size()).isEqualTo(Math.min(entries, 1));
        Files.write(file, (csv + "AS1,\u00ff,\n").getBytes(ISO_8859_1));
        assertThatThrownBy(() -> VrpFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": invalid CSV: the text is not UTF-8");
        Files.writeString(file, csv + "AS1,\"192.0.2.0/24\"x,\n");
        assertThatThrownBy(() -> VrpFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": invalid CSV: ")
                .hasMessageContaining("line: %,d".formatted(entries + 2));
    }

    @Test
    void localExceptionsFilterAndAdd() throws IOException {
        Slurm slurm = Slurm.read(file("""
                {
                  "slurmVersion": 1,
                  "validationOutputFilters": {
                    "prefixFilters": [
                      { "prefix": "192.0.2.0/24", "comment": "and all inside it" },
                      { "asn": 64501 },
                      { "prefix": "2001:db8::/32", "asn": 64502 }
                    ],
                    "bgpsecFilters": []
                  },
                  "locallyAddedAssertions": {
                    "prefixAssertions": [
                      { "asn": 64501, "prefix": "192.0.2.128/25", "comment": "stays" },
                      { "asn": 64503, "prefix": "2001:db8:1::/48", "maxPrefixLength": 56 }
                    ],
                    "bgpsecAssertions": []
                  }
                }
                """));
        Vrp kept = new Vrp(IpPrefix.parse("2001:db8::/32"), 32, 64500);
        VrpTable applied = slurm.apply(VrpTable.of(List.of(
                new Vrp(IpPrefix.parse("192.0.2.0/24"), 24, 64500),
                new Vrp(IpPrefix.parse("192.0.2.64/26"), 26, 64500),
                new Vrp(IpPrefix.parse("198.51.100.0/24"), 24, 64501),
                new Vrp(IpPrefix.parse("2001:db8:5::/48"), 48, 64502),
                kept)));
        assertThat(applied.toList())
                .containsExactly(
                        new Vrp(IpPrefix.parse("192.0.2.128/25"), 25, 64501),
                        kept,
                        new Vrp(IpPrefix.parse("2001:db8:1::/48"), 56, 64503));
    }

    @Test
    void anInvalidExceptionIsRejectedWithItsPlace() throws IOException {
        Path file = file("""
                {"slurmVersion": 1, "validationOutputFilters": {"prefixFilters": [{"asn": 1}, {"comment": "none"}]}}
                """);
        assertThatThrownBy(() -> Slurm.read(file))
                .hasMessage(file + ", entry 2 of prefixFilters: there is neither a prefix nor an AS number");
        assertThatThrownBy(() -> Slurm.read(file("{}"))).hasMessageContaining("slurmVersion is neither 1 nor 2");
    }

    @Test
    void aFileOfTheWholeInternetsSizeIsRead() throws IOException {
        int count = 500_000;
        Path large = folder.resolve("large.json");
        try (BufferedWriter out = Files.newBufferedWriter(large)) {
            out.write("{\"roas\": [");
            for (int i = 0; i < count; i++) {
                out.write("%s{\"asn\":\"AS%d\",\"prefix\":\"%d.%d.%d.0/24\",\"maxLength\":24,\"ta\":\"ripe\"}\n"
                        .formatted(i == 0 ? "" : ",", i, 1 + (i >> 16), i >> 8 & 255, i & 255));
            }
            out.write("]}");
        }
        VrpTable table = VrpFile.read(large).vrps();
        assertThat(table.size()).isEqualTo(count);
        assertThat(table.validate(IpPrefix.parse("8.161.31.0/24"), 499_999)).isEqualTo(Validity.VALID);
        assertThat(table.validate(IpPrefix.parse("8.161.31.0/24"), 1)).isEqualTo(Validity.INVALID);
    }
}
