package dev.silkroute.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelFileTest {
    @TempDir
    private Path folder;

    private Labels read(String content) throws IOException {
        return LabelFile.read(Files.writeString(folder.resolve("labels.csv"), content));
    }

    @Test
    void aPeerHasTheLabelsOfItsRouterAndItsOwn() throws IOException {
        var labels = read("""
                router,peer,site,role
                # the only edge router
                edge-1,,fra,edge
                ,2001:DB8:0::1,,transit
                edge-1 , 192.0.2.1 ,ams,
                """);
        assertThat(labels.size()).isEqualTo(3);
        assertThat(labels.ofPeer("edge-1", "203.0.113.1")).isEqualTo(Map.of("site", "fra", "role", "edge"));
        assertThat(labels.ofPeer("edge-1", "2001:db8::1")).isEqualTo(Map.of("site", "fra", "role", "transit"));
        assertThat(labels.ofPeer("edge-1", "192.0.2.1")).isEqualTo(Map.of("site", "ams", "role", "edge"));
        assertThat(labels.ofPeer("edge-2", "192.0.2.1")).isEmpty();
        assertThat(labels.ofPeer("edge-2", "2001:db8::1")).isEqualTo(Map.of("role", "transit"));
        assertThat(labels.routersJson()).isEqualTo("{\"edge-1\":{\"role\":\"edge\",\"site\":\"fra\"}}");
        assertThat(labels.peersJson()).isEqualTo("{\"2001:db8::1\":{\"role\":\"transit\"}}");
        assertThat(labels.routersPeersJson()).isEqualTo("{\"edge-1 192.0.2.1\":{\"site\":\"ams\"}}");
    }

    @Test
    void theExampleOfTheDocumentationIsRead() throws IOException {
        var example = new MarkdownPage(Path.of("docs/how-to/names.md"))
                .blocks().stream()
                        .filter(block -> block.language().equals("csv"))
                        .toList();
        assertThat(example).hasSize(1);
        var labels = read(example.getFirst().text());
        assertThat(labels.ofPeer("edge-1", "198.51.100.7")).isEqualTo(Map.of("site", "fra", "role", "transit"));
        assertThat(labels.ofPeer("edge-2", "192.0.2.12"))
                .isEqualTo(Map.of("site", "ams", "role", "edge", "customer", "Example Inc."));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "peer,site\\n192.0.2.1,fra|the header line must have the columns router and peer",
                "router,peer,1st\\nedge,,fra|'1st' is not a valid label",
                "router,peer,site\\nedge,,fra\\nedge,192.0.2.0/24,fra|line 3: '192.0.2.0/24' is a prefix",
                "router,peer,site\\nedge,192.0.2,fra|line 2: '192.0.2' is not a valid IPv4 address",
                "router,peer,site\\n,,fra|line 2: there is neither a router nor a peer",
                "router,peer,site\\nedge,fra|line 2: there are 2 columns, the header line has 3",
                "router,peer,site\\nedge,,fra\\nedge,,ams|line 3: this router and peer were labelled before",
                "router,peer,site\\nedge,,fRLOra|line 2: a text contains control characters",
                "router,peer,site,site\\nedge,,a,b|duplicate name"
            })
    void aFileThatIsNotValidIsRejectedWithItsLine(String content, String reason) {
        assertThatThrownBy(() -> read(content.replace("RLO", "\u202E").translateEscapes()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(folder.resolve("labels.csv") + ": ")
                .hasMessageContaining(reason);
    }

    @Test
    void linesAndValuesAreBounded() throws IOException {
        var content = new StringBuilder("router,peer,site\n");
        for (int i = 0; i < LabelFile.MAX_LINES; i++) {
            content.append("r").append(i).append(",,x\n");
        }
        assertThat(read(content.toString()).size()).isEqualTo(LabelFile.MAX_LINES);
        assertThatThrownBy(() -> read(content + "one-more,,x\n")).hasMessageContaining("more than 20000 lines");
        assertThatThrownBy(() -> read("router,peer,site\nedge,," + "x".repeat(129)))
                .hasMessageContaining("longer than 128 characters");
        assertThatThrownBy(() -> read("router,peer,site\n" + "#".repeat(8 << 20)))
                .hasMessageContaining("is larger than");
    }
}
