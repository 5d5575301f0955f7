package dev.silkroute.bgp.nlri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.silkroute.bgp.nlri.NlriExamples.Example;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class NlriTextTest {
    private static final HexFormat HEX = HexFormat.of();

    static List<Example> examples() {
        return NlriExamples.all();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void bytesBecomeTextAndTextBytes(Example example) {
        byte[] b = example.bytes();

        assertThat(NlriText.exact(example.family(), b, 0, b.length)).isEqualTo(example.text());
        assertThat(HEX.formatHex(NlriText.parse(example.family(), example.text())))
                .isEqualTo(example.hex());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void textIsTheSameWhereverTheBytesAre(Example example) {
        byte[] b = HEX.parseHex("ffff" + example.hex() + "ff");
        int to = b.length - 1;

        assertThat(NlriText.exact(example.family(), b, 2, to)).isEqualTo(example.text());
        if (!(NlriCodec.of(example.family()) instanceof OpaqueNlri)) {
            assertThat(NlriFormat.next(example.family(), b, 2, b.length, false, false))
                    .isEqualTo(to);
        }
    }

    /** A cut NLRI is a fault, or something shorter that can be said in words and read back. */
    @ParameterizedTest
    @MethodSource("examples")
    void everyTruncationIsAFaultOrAnHonestValue(Example example) {
        byte[] b = example.bytes();
        for (int to = 0; to < b.length; to++) {
            byte[] cut = Arrays.copyOf(b, to);
            int end = NlriFormat.next(example.family(), cut, 0, to, false, false);
            if (end < 0) {
                DecodeException fault = NlriFormat.fault(end, 0);
                assertThat(fault.section()).startsWith("RFC ");
                assertThatExceptionOfType(DecodeException.class)
                        .isThrownBy(() -> NlriText.of(example.family(), cut, 0, cut.length));
            } else {
                String text = NlriText.exact(example.family(), cut, 0, end);
                assertThat(NlriText.parse(example.family(), text)).isEqualTo(Arrays.copyOf(cut, end));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyWordIsAField(Example example) {
        byte[] b = example.bytes();
        List<NlriText.Field> fields = NlriText.fields(example.family(), b, 0, b.length);

        assertThat(fields).hasSize(example.text().split(" ", -1).length);
        assertThat(fields).allSatisfy(field -> assertThat(field.name()).matches("[a-z][a-z0-9.-]*"));
    }

    @Test
    void fieldsHaveNames() {
        byte[] vpn = HEX.parseHex("70" + "0003f1" + "0000fbf400000001" + "0a0001");
        byte[] policy = HEX.parseHex("60" + "00000001" + "00000064" + "c0000201");

        assertThat(NlriText.fields(Family.VPNV4, vpn, 0, vpn.length))
                .containsExactly(
                        new NlriText.Field("rd", "64500:1"),
                        new NlriText.Field("prefix", "10.0.1.0/24"),
                        new NlriText.Field("label", "63"));
        assertThat(NlriText.fields(Family.of(1, 73), policy, 0, policy.length))
                .extracting(NlriText.Field::name)
                .containsExactly("distinguisher", "color", "endpoint");
    }

    /** What SQL makes of prefixes. */
    @ParameterizedTest
    @CsvSource({
        "1/1, 170a0a0b, 10.10.10.0/23",
        "1/4, 48000100003e810a0001, 10.0.1.0/24",
        "1/128, 700003f100020000fbf400010a0001, 64500:1 10.0.1.0/24",
    })
    void prefixesShowNeitherLabelsNorBitsBehindThem(String family, String hex, String text) {
        byte[] b = HEX.parseHex(hex);
        assertThat(NlriText.of(NlriExamples.family(family), b, 0, b.length)).isEqualTo(text);
    }

    @Test
    void aLabelledPrefixWithoutLabelsIsAWithdrawal() {
        assertThat(NlriText.parse(Family.IPV4_LABELED_UNICAST, "10.0.1.0/24"))
                .isEqualTo(HEX.parseHex("308000000a0001"));
    }

    @Test
    void theLongFormOfFlowSpecsLengthIsTheSameRoute() {
        byte[] b = HEX.parseHex("f003038106");

        assertThat(NlriText.of(Family.IPV4_FLOWSPEC, b, 0, b.length)).isEqualTo("proto=6");
        assertThat(NlriText.parse(Family.IPV4_FLOWSPEC, "proto=6")).isEqualTo(HEX.parseHex("03038106"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1/1|10.0.0.0",
                "1/1|10.0.0.0/33",
                "1/1|10.0.0/8",
                "1/1|2001:db8::/32",
                "1/1|10.0.0.0/8 more",
                "2/1|2001:db8::%eth0/32",
                "1/4|10.0.0.0/8 label=1048576",
                "1/4|10.0.0.0/8 label=0x000100",
                "1/4|10.0.0.0/8 label=0x000101,16",
                "1/128|10.0.0.0/8 label=16",
                "1/128|192.0.2.1:65536 10.0.0.0/8 label=16",
                "25/70|mac-ip rd=64500:1",
                "25/70|nothing rd=64500:1",
                "25/70|type-2 value=0x00",
                "25/70|inclusive-multicast rd=64500:1 etag=4294967296 originator=192.0.2.1",
                "25/70|ethernet-ad rd=64500:1 esi=00:11 etag=0 label=16/257",
                "25/70|ethernet-ad rd=64500:1 esi=00:11:22:33:44:55:66:77:88:99 etag=0 label=17/257",
                "1/133|flow-label=1",
                "1/133|proto=6 dst=10.0.0.0/8",
                "1/133|proto=",
                "1/133|proto=6:3",
                "1/133|proto=256:1",
                "1/133|value=0x03",
                "2/133|dst=2001:db8::/64-64",
                "1/132|origin-as=64500 rt=0x0002/48",
                "1/73|distinguisher=1 color=1 endpoint=2001:db8::1",
                "16388/71|node protocol=ospfv9 id=0",
                "16388/71|node protocol=bgp id=0 local.router",
                "16388/71|node protocol=bgp id=0 local.colour=1",
                "16388/71|type-1 value=0x00",
                "7/99|",
                "7/99|0x00",
            })
    void whatIsNoTextIsRefused(String family, String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NlriText.parse(NlriExamples.family(family), text == null ? "" : text));
    }

    /** Rows of the tables: {@code | 25/70 | `text` |}. */
    @Test
    void theDocumentedExamplesAreTrue() throws IOException {
        Pattern row = Pattern.compile("^\\| (\\d+/\\d+) \\| `([^`]+)` \\|", Pattern.MULTILINE);
        Matcher rows = row.matcher(Files.readString(Path.of("docs/nlri.md")));
        int count = 0;
        while (rows.find()) {
            int family = NlriExamples.family(rows.group(1));
            byte[] b = NlriText.parse(family, rows.group(2));
            assertThat(NlriText.exact(family, b, 0, b.length)).isEqualTo(rows.group(2));
            count++;
        }
        assertThat(count).isGreaterThan(40);
    }
}
