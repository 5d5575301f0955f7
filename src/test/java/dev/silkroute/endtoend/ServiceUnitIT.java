package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.MarkdownPage.Block;
import dev.silkroute.fixture.SeparateBlock;
import dev.silkroute.fixture.SystemdMachine;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Installs and uses the service as docs/how-to/systemd.md shows, on a machine of its own that runs systemd. */
class ServiceUnitIT {
    private static final MarkdownPage PAGE = new MarkdownPage(Path.of("docs/how-to/systemd.md"));
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** The page has the message of a start with it. */
    private static final String INVALID = "SILKROUTE_BMP_ALLOW=nowhere";

    private SystemdMachine machine;

    @Test
    void theServiceIsInstalledAndUsedAsThePageShows(@TempDir Path directory) throws Exception {
        try (SystemdMachine booted = SystemdMachine.boot(directory)) {
            machine = booted;
            SeparateBlock.INSTALL_SERVICE.assertPrints(run(SeparateBlock.INSTALL_SERVICE));
            assertThat(machine.run("systemd-analyze verify /etc/systemd/system/silkroute.service 2>&1"))
                    .isEmpty();
            await().atMost(LIMIT)
                    .until(() -> machine.run("journalctl -u silkroute -o cat").contains("Silkroute is ready: "));
            assertThat(machine.run("stat -c '%U %a' /var/lib/silkroute")).isEqualTo("silkroute 700\n");
            SeparateBlock.SERVICE_STATUS.assertPrints(run(SeparateBlock.SERVICE_STATUS));

            // When it is started again with the settings of the page
            write(settings());
            SeparateBlock.CHECK_SETTINGS.assertPrints(run(SeparateBlock.CHECK_SETTINGS));

            // Then it had stored everything before it stopped, and has the settings
            assertThat(machine.run("journalctl --sync; journalctl -u silkroute -o cat"))
                    .contains("silkroute.service: Deactivated successfully.");
            assertThat(machine.run(
                            "tr '\\0' '\\n' < /proc/$(systemctl show --property MainPID --value silkroute)/environ"))
                    .contains(settings().lines().toList());

            // When a setting is not valid, then the journal has the reason, and the service is not started again
            assertThat(PAGE.prose()).anyMatch(line -> line.contains("`" + INVALID + "`"));
            write(INVALID);
            machine.run("systemctl restart silkroute");
            await().atMost(LIMIT)
                    .until(() ->
                            machine.run("systemctl is-failed silkroute || true").equals("failed\n"));
            machine.run("journalctl --sync");
            SeparateBlock.JOURNAL.assertPrints(run(SeparateBlock.JOURNAL));
            assertThat(machine.run("systemctl show --property NRestarts --value silkroute"))
                    .isEqualTo("0\n");
        }
    }

    private String run(SeparateBlock block) throws Exception {
        return machine.run(block.block().text());
    }

    private void write(String settings) throws Exception {
        machine.run("cat > /etc/silkroute/environment <<'END'\n" + settings + "\nEND");
    }

    private static String settings() {
        return PAGE.blocks().stream()
                .filter(block -> block.language().equals("properties"))
                .map(Block::text)
                .findFirst()
                .orElseThrow();
    }
}
