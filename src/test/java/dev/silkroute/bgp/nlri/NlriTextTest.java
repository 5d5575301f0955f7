package dev.silkroute.bgp.nlri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.bgp.nlri.NlriExamples.Example;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
    void bytesHaveTheirText(Example example) {
        byte[] b = example.bytes();

        assertThat(NlriText.of(example.family(), b, 0, b.length)).isEqualTo(example.text());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void textDoesNotDependOnTheOffset(Example example) {
        byte[] b = HEX.parseHex("ffff" + example.hex() + "ff");
        int to = b.length - 1;

        assertThat(NlriText.of(example.family(), b, 2, to)).isEqualTo(example.text());
        if (!(NlriCodec.of(example.family()) instanceof OpaqueNlri)) {
            assertThat(NlriFormat.next(example.family(), b, 2, b.length, false, false))
                    .isEqualTo(to);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void truncatedNlriIsAFaultOrAShorterNlri(Example example) {
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
                assertThat(NlriText.of(example.family(), cut, 0, end)).isNotEqualTo(example.text());
            }
        }
    }

    /** The SQL functions format prefixes the same way. */
    @ParameterizedTest
    @CsvSource({
        "1/1, 170a0a0b, 10.10.10.0/23",
        "1/4, 48000100003e810a0001, 10.0.1.0/24",
        "1/128, 700003f100020000fbf400010a0001, 64500:1 10.0.1.0/24",
    })
    void prefixesShowNeitherLabelsNorHostBits(String family, String hex, String text) {
        byte[] b = HEX.parseHex(hex);
        assertThat(NlriText.of(NlriExamples.family(family), b, 0, b.length)).isEqualTo(text);
    }

    @Test
    void bothFormsOfTheFlowSpecLengthHaveTheSameText() {
        byte[] b = HEX.parseHex("f003038106");

        assertThat(NlriText.of(Family.IPV4_FLOWSPEC, b, 0, b.length)).isEqualTo("proto=6");
    }

    /** Rows of the tables: {@code | 25/70 | `text` |}. */
    @Test
    void documentedTextsAreThoseOfExamples() throws IOException {
        Set<String> texts = examples().stream()
                .map(example ->
                        Family.afi(example.family()) + "/" + Family.safi(example.family()) + " " + example.text())
                .collect(Collectors.toSet());
        Pattern row = Pattern.compile("^\\| (\\d+/\\d+) \\| `([^`]+)` \\|", Pattern.MULTILINE);
        Matcher rows = row.matcher(Files.readString(Path.of("docs/reference/nlri.md")));
        int count = 0;
        while (rows.find()) {
            assertThat(texts).contains(rows.group(1) + " " + rows.group(2));
            count++;
        }
        assertThat(count).isGreaterThan(40);
    }
}
