package dev.silkroute.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.rpki.Aspa;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.Vrp;
import dev.silkroute.rpki.VrpTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The examples of docs/how-to/alerts.md lead to the alerts that the page shows, and cover all rules. */
class AlertsPageTest {
    private static final MarkdownPage PAGE = new MarkdownPage(Path.of("docs/how-to/alerts.md"));

    @Test
    void examplesLeadToTheAlertsShown() {
        VrpTable roa = VrpTable.of(List.of(new Vrp(IpPrefix.parse("192.0.2.0/24"), 24, 64500)));
        TreeSet<String> shown = new TreeSet<>();
        for (String example : blocks("text")) {
            boolean validated = example.contains("rpki-invalid");
            AlertFeed feed = new AlertFeed(
                    RulesFile.parse(blocks("yaml").getFirst()),
                    AlertFeed.settings(2, 3),
                    validated ? roa : VrpTable.EMPTY);
            if (example.contains("aspa-invalid")) {
                feed.engine.useAspas(AspaTable.of(List.of(new Aspa(64500, List.of(65020)))));
            }
            List<String> actual = new ArrayList<>();
            example.lines()
                    .filter(line -> line.matches("(peer|router|time) .*"))
                    .forEach(line -> {
                        actual.add(line);
                        event(feed, line.split(" "));
                        actual.addAll(feed.changes());
                    });
            assertThat(actual).containsExactlyElementsOf(example.lines().toList());
            actual.stream().filter(line -> line.startsWith("opened")).forEach(line -> shown.add(line.split(" ")[1]));
        }
        assertThat(shown).containsExactlyInAnyOrderElementsOf(AlertRule.texts());
    }

    @Test
    void tableNamesAllRules() {
        String table =
                PAGE.lines().stream().filter(line -> line.startsWith("|")).collect(Collectors.joining("\n"));
        for (AlertRule rule : AlertRule.values()) {
            String monitor = rule.monitor().isEmpty() ? "" : "`" + rule.monitor() + "` ";
            assertThat(table).contains("| `" + rule.text() + "` | " + monitor + "|");
        }
    }

    private static List<String> blocks(String language) {
        return PAGE.blocks().stream()
                .filter(block -> block.language().equals(language))
                .map(MarkdownPage.Block::text)
                .filter(text -> !language.equals("text") || text.matches("(?s)(peer|router) \\d .*"))
                .toList();
    }

    private static void event(AlertFeed feed, String[] words) {
        if (words[0].equals("time")) {
            feed.silence(Long.parseLong(words[2])); // time passes: 300 s
            return;
        }
        int peer = Integer.parseInt(words[1]);
        switch (words[0] + " " + words[2]) {
            case "router connects" -> feed.newSession(peer);
            case "router disconnects" -> feed.sessionDown(peer);
            case "peer comes" -> feed.peerUp(peer);
            case "peer goes" -> feed.peerDown(peer);
            case "peer reports" -> feed.report(peer, Family.IPV6_UNICAST, Long.parseLong(words[3]));
            case "peer sends" -> {
                if (words[3].equals("End-of-RIB")) {
                    feed.endOfRib(peer, 0);
                } else {
                    feed.undecodable(peer); // peer 0 sends an undecodable message
                }
            }
            default -> routeEvent(feed, peer, words);
        }
    }

    private static void routeEvent(AlertFeed feed, int peer, String[] words) {
        if (words[2].equals("withdraws")) {
            feed.withdraw(peer, words[3]);
            return;
        }
        int otc = List.of(words).indexOf("otc");
        int end = otc < 0 ? words.length : otc;
        long[] path =
                Arrays.stream(words, 0, end).skip(5).mapToLong(Long::parseLong).toArray();
        if (end < words.length) {
            feed.announceOnlyToCustomer(peer, words[3], Long.parseLong(words[end + 1]), path);
        } else if (words[2].equals("accepts")) {
            feed.accept(peer, words[3], path);
        } else {
            feed.announce(peer, words[3], path);
        }
    }
}
