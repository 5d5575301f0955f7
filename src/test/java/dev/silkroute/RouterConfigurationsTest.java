package dev.silkroute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** FRRouting, BIRD and GoBGP accept the configurations that docs/how-to/routers.md shows for them. */
class RouterConfigurationsTest {
    private static final MarkdownPage PAGE = new MarkdownPage(Path.of("docs/how-to/routers.md"));
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)");

    @TempDir
    private Path folder;

    private record Outcome(int exitCode, String output) {}

    /** FRRouting 8.4 of Debian 12 has no Loc-RIB. */
    @Test
    void frrAcceptsItsExamples() throws Exception {
        Programs.assumeOnPath("vtysh");
        List<String> examples = containing("bmp targets ");
        assertThat(examples).hasSize(2);
        for (String example : examples) {
            List<String> unknown = run("vtysh", "--dryrun", "--inputfile", write("frr.conf", example))
                    .output()
                    .lines()
                    .filter(line -> line.contains("Unknown command"))
                    .map(line -> line.replaceFirst(".*: {3}", ""))
                    .toList();
            List<String> locRib = example.lines()
                    .filter(line -> line.endsWith(" loc-rib"))
                    .map(String::strip)
                    .toList();
            assertThat(unknown).isIn(List.of(), locRib);
        }
        assertThat(run("vtysh", "--dryrun", "--inputfile", write("frr.conf", "router bgp 64500\n bmp aims silkroute"))
                        .output())
                .contains("Unknown command");
    }

    @Test
    void birdAcceptsItsExample() throws Exception {
        Programs.assumeOnPath("bird");
        Assumptions.assumeTrue(isAtLeast214(run("bird", "--version").output()), "BIRD supports BMP since 2.14");
        List<String> examples = containing("protocol bmp ");
        assertThat(examples).hasSize(1);
        Outcome outcome = run("bird", "-p", "-c", write("bird.conf", "router id 192.0.2.1;\n" + examples.getFirst()));
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    }

    @Test
    void goBgpAcceptsItsExample() throws Exception {
        Programs.assumeOnPath("gobgpd");
        List<String> examples = containing("[[bmp-servers]]");
        assertThat(examples).hasSize(1);
        Outcome outcome = run("gobgpd", "--dry-run", "--config-file", write("gobgp.toml", examples.getFirst()));
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
        String misspelt = write("wrong.toml", examples.getFirst().replace("statistics-", "statistic-"));
        assertThat(run("gobgpd", "--dry-run", "--config-file", misspelt).exitCode())
                .isPositive();
    }

    /** Returns the configurations on the page that contain this. */
    private static List<String> containing(String part) {
        return PAGE.blocks().stream()
                .map(block -> block.text() + "\n")
                .filter(text -> text.contains(part))
                .toList();
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static boolean isAtLeast214(String output) {
        Matcher version = VERSION.matcher(output);
        assertThat(version.find()).isTrue();
        int major = Integer.parseInt(version.group(1));
        return major > 2 || major == 2 && Integer.parseInt(version.group(2)) >= 14;
    }

    private static Outcome run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Outcome(process.waitFor(), output);
    }
}
