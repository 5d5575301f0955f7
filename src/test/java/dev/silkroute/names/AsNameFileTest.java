package dev.silkroute.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AsNameFileTest {
    @TempDir
    private Path folder;

    private AsNames read(String content) throws IOException {
        return AsNameFile.read(Files.writeString(folder.resolve("names"), content));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "asn,name,class,cc\nAS64500,\"Example, \"\"Inc.\"\"\",Content,US\nAS4294967295,Last\n",
                "64500\tExample, \"Inc.\"\tUS\n4294967295\tLast\n",
                "# of today\n\n64500  Example, \"Inc.\"\n4294967295 Last\n",
                "as64500 Example, \"Inc.\"\r\nas4294967295 Last",
                "{\"64500\": \"Example, \\\"Inc.\\\"\", \"AS4294967295\": \"Last\", \"x\": {\"asn\": 1}}",
                "[{\"asn\": 64500, \"name\": \"Example, \\\"Inc.\\\"\", \"tags\": [1]}, {\"asn\": \"AS4294967295\", \"handle\": \"L\","
                        + " \"description\": \"Last\"}]",
                "{\"meta\": {}, \"data\": [{\"id\": 7, \"asn\": 64500, \"name\": \"Example, \\\"Inc.\\\"\"},"
                        + " {\"asn\": 4294967295, \"name\": \"\", \"handle\": \"Last\"}]}"
            })
    void eachFormOfPublicListsIsRead(String content) throws IOException {
        var names = read(content);
        assertThat(names.of(64500)).hasValue("Example, \"Inc.\"");
        assertThat(names.of(4294967295L)).hasValue("Last");
        assertThat(names.of(1)).isEmpty();
        assertThat(names.size()).isEqualTo(2);
    }

    @Test
    void theExamplesOfTheDocumentationAreRead() throws IOException {
        var examples = new MarkdownPage(Path.of("docs/how-to/names.md"))
                .prose().stream()
                        .map(Pattern.compile("\\| .* \\| `(.*64500.*)` \\|")::matcher)
                        .filter(Matcher::matches)
                        .map(row -> row.group(1))
                        .toList();
        assertThat(examples).hasSize(5);
        for (var example : examples) {
            assertThat(read(example).of(64500)).as(example).isPresent();
        }
    }

    @Test
    void namesLoseControlCharactersAndAreCut() throws IOException {
        var names = read("64500,a\u001B[31mb\u202Ec\n64501," + "é".repeat(200) + "\n64502,\u0007\n");
        assertThat(names.of(64500)).hasValue("a[31mbc");
        assertThat(names.of(64501)).hasValue("é".repeat(128));
        assertThat(names.of(64502)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1,a\\nb,c|line 2: there is no AS number with a name",
                "1,a\\n4294967296,c|line 2: '4294967296' is not a valid AS number",
                "{\"x\": \"y\"}|line 1: 'x' is not a valid AS number",
                "[{\"asn\": -1, \"name\": \"y\"}]|line 1: '-1' is not a valid AS number",
                "[{\"name\": \"y\"}]|line 1: '' is not a valid AS number",
                "{\\n\"1\": |line 2: invalid JSON",
                "[{\"asn\": 1,|line 1: invalid JSON"
            })
    void aFileThatIsNotValidIsRejectedWithItsLine(String content, String reason) {
        assertThatThrownBy(() -> read(content.translateEscapes()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(folder.resolve("names") + ", ")
                .hasMessageContaining(reason);
    }

    @Test
    void theNumberOfNamesIsBounded() throws IOException {
        var content = new StringBuilder();
        for (int i = 1; i <= AsNameFile.MAX_NAMES; i++) {
            content.append(i).append(",n\n");
        }
        assertThat(read(content.toString()).size()).isEqualTo(AsNameFile.MAX_NAMES);
        assertThatThrownBy(() -> read(content + "4200000000,n\n")).hasMessageContaining("more than 500000 names");
    }
}
