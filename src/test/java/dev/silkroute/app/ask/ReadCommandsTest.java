package dev.silkroute.app.ask;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ReadCommandsTest {
    private static String request(ReadCommand command, String... arguments) {
        new CommandLine(command).parseArgs(arguments);
        return command.path().toString().replaceFirst("^/api/v1/", "");
    }

    @Test
    void optionsBecomeParametersOfTheRequest() {
        assertThat(request(
                        new RoutesCommand(),
                        "10.0.0.0/8",
                        "--match=covered",
                        "--community=64500:*",
                        "--community=64500:1",
                        "--origin-asn=AS64500",
                        "--as-path-contains=64501",
                        "--family=vpnv4",
                        "--view=loc-rib",
                        "--rpki-validity=invalid",
                        "--at=2026-11-21T10:00:00+01:00",
                        "--limit=5"))
                .isEqualTo(
                        "routes?prefix=10.0.0.0%2F8&match=covered&family=vpnv4&origin_asn=AS64500&as_path_contains=64501"
                                + "&rpki_validity=invalid&at=2026-11-21T10%3A00%3A00%2B01%3A00&limit=5&fields=*%2Crpki_validity&community=64500%3A*&community=64500%3A1&view=loc-rib");
        assertThat(request(new HistoryCommand(), "10.0.0.0/8", "--from=2026-11-21", "--router=edge 1"))
                .isEqualTo(
                        "routes/history?prefix=10.0.0.0%2F8&from=2026-11-21&limit=100&router=edge+1&fields=*%2Crpki_validity");
        assertThat(request(new DiffCommand(), "2026-11-21", "2026-11-22", "--within=10.0.0.0/8", "--peer=192.0.2.1"))
                .isEqualTo("rib/diff?from=2026-11-21&to=2026-11-22&within=10.0.0.0%2F8&limit=100&peer=192.0.2.1");
        assertThat(request(new CompareCommand(), "::/0", "--at=2026-11-21"))
                .isEqualTo("compare?prefix=%3A%3A%2F0&at=2026-11-21");
        assertThat(request(new ReconcileCommand(), "--router=edge", "--state=differs"))
                .isEqualTo("reconcile?with=database&state=differs&router=edge");
        assertThat(request(new ReconcileCommand(), "--with=twin", "--family=evpn", "--routes=5", "--view=loc-rib"))
                .isEqualTo("reconcile?with=twin&family=evpn&routes=5&view=loc-rib");
        assertThat(request(new ReconcileCommand(), "--with=routers", "--at=2026-11-21"))
                .isEqualTo("reconcile?with=routers&at=2026-11-21");
        assertThat(request(new TimelineCommand(), "10.0.0.0/8", "--from", "-2h", "--view=loc-rib"))
                .isEqualTo("routes/history?prefix=10.0.0.0%2F8&from=-2h&limit=10000&view=loc-rib");
        assertThat(request(new RoutersCommand(), "--router=edge", "--at=2026-11-21"))
                .isEqualTo("routers?router=edge&at=2026-11-21");
        assertThat(request(new AlertsCommand(), "--state=all", "--rule=more-specific", "--prefix=192.0.2.0/24"))
                .isEqualTo("alerts?state=all&rule=more-specific&prefix=192.0.2.0%2F24&limit=100");
        assertThat(request(new AlertsCommand(), "--at=-2h")).isEqualTo("alerts?at=-2h&limit=100");
        assertThat(request(new PeersCommand(), "--state=down", "--view=loc-rib"))
                .isEqualTo("peers?state=down&view=loc-rib");
    }
}
