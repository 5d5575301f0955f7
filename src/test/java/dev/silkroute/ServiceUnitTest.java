package dev.silkroute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The commands of docs/how-to/systemd.md install and use what the unit of the service expects. */
class ServiceUnitTest {
    private static final Path UNIT = Path.of("src/main/systemd/silkroute.service");

    @Test
    void commandsAgreeWithTheUnit() throws IOException {
        Map<String, String> unit = new HashMap<>();
        Files.readAllLines(UNIT).stream()
                .filter(line -> line.matches("\\w+=.*"))
                .forEach(line -> unit.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1)));
        String user = unit.get("User");
        String home = unit.get("WorkingDirectory");
        String launcher = unit.get("ExecStart").replace(" run", "");
        String settings = unit.get("EnvironmentFile").replaceFirst("^-", "");
        String data = unit.get("Environment").replaceFirst(".*SILKROUTE_DATA_DIR=", "");
        String service = UNIT.getFileName().toString().replace(".service", "");
        assertThat(data).isEqualTo("/var/lib/" + unit.get("StateDirectory"));
        assertThat(new MarkdownPage(Path.of("docs/how-to/systemd.md"))
                        .blocks().stream()
                                .filter(block -> block.language().equals("sh"))
                                .flatMap(block -> block.text().lines()))
                .containsExactly(
                        "./silkroute --version",
                        "sudo useradd --system --home-dir " + data + " --shell /usr/sbin/nologin " + user,
                        "sudo mkdir -p " + home + " " + Path.of(settings).getParent(),
                        "sudo cp -a . " + home,
                        "sudo cp " + UNIT + " /etc/systemd/system/",
                        "sudo systemctl daemon-reload",
                        "sudo systemctl enable --now " + service,
                        "set -a; . " + settings + "; set +a",
                        "sudo -E -u " + user + " SILKROUTE_DATA_DIR=" + data + " " + launcher + " doctor",
                        "sudo systemctl restart " + service,
                        "journalctl -u " + service + " -n 20",
                        "sudo -u " + user + " " + launcher + " status --data-dir " + data);
    }
}
