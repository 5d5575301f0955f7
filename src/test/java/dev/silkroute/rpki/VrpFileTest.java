package dev.silkroute.rpki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.net.IpPrefix;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the forms in which Routinator and rpki-client write VRPs, and local exceptions. */
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
        assertThat(VrpFile.read(file("""
                        {
                          "metadata": { "generated": 1790000000, "generatedTime": "2026-09-21T14:13:20Z" },
                          "roas": [
                            { "asn": "AS64500", "prefix": "192.0.2.0/24", "maxLength": 26, "ta": "ripe" },
                            { "asn": "AS4200000000", "prefix": "2001:db8::/32", "maxLength": 48, "ta": "arin" }
                          ],
                          "routerKeys": [ { "asn": "AS64500" } ]
                        }
                        """))).isEqualTo(EXPECTED);
    }

    @Test
    void readsRpkiClientsJson() throws IOException {
        assertThat(VrpFile.read(file("""
                        {"metadata":{"buildmachine":"x","roas":2},"roas":[
                        { "asn": 64500, "prefix": "192.0.2.0/24", "maxLength": 26, "ta": "ripe", "expires": 1790000000 },
                        { "asn": 4200000000, "prefix": "2001:db8::/32", "maxLength": 48, "ta": "arin", "expires": 1790000000 }
                        ],"bgpsec_keys":[],"aspas":[{"customer_asid": 1, "providers": [2]}]}
                        """))).isEqualTo(EXPECTED);
    }

    @Test
    void readsCsvWithAnyColumnsBehind() throws IOException {
        assertThat(VrpFile.read(file("""
                        ASN,IP Prefix,Max Length,Trust Anchor
                        AS64500,192.0.2.0/24,26,ripe
                        AS4200000000,2001:db8::/32,48,arin
                        """))).isEqualTo(EXPECTED);
        assertThat(VrpFile.read(
                        file("ASN,IP Prefix,Max Length,Trust Anchor,Expires\nAS64500,192.0.2.0/24,,ripe,17900\n")))
                .containsExactly(new Vrp(IpPrefix.parse("192.0.2.0/24"), 24, 64500));
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
        assertThat(slurm.apply(List.of(
                        new Vrp(IpPrefix.parse("192.0.2.0/24"), 24, 64500),
                        new Vrp(IpPrefix.parse("192.0.2.64/26"), 26, 64500),
                        new Vrp(IpPrefix.parse("198.51.100.0/24"), 24, 64501),
                        new Vrp(IpPrefix.parse("2001:db8:5::/48"), 48, 64502),
                        kept)))
                .containsExactly(
                        kept,
                        new Vrp(IpPrefix.parse("192.0.2.128/25"), 25, 64501),
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
        VrpTable table = VrpTable.of(VrpFile.read(large));
        assertThat(table.size()).isEqualTo(count);
        assertThat(table.validate(IpPrefix.parse("8.161.31.0/24"), 499_999)).isEqualTo(Validity.VALID);
        assertThat(table.validate(IpPrefix.parse("8.161.31.0/24"), 1)).isEqualTo(Validity.INVALID);
    }
}
