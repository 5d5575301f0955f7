package dev.silkroute.session;

import dev.silkroute.net.IpPrefix;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the operator says of routers by source address, names for example: {@code 192.0.2.0/24=edge,2001:db8::1=core}. The longest matching
 * prefix wins. Immutable.
 */
public final class RouterValues {
    public static final RouterValues NONE = new RouterValues(List.of());

    private final List<Rule> rules;

    private RouterValues(List<Rule> rules) {
        this.rules = rules;
    }

    /** @throws IllegalArgumentException for text that is no such list, saying which part */
    public static RouterValues parse(String text) {
        List<Rule> rules = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.isBlank()) {
                rules.add(Rule.parse(part.strip()));
            }
        }
        rules.sort((a, b) -> Integer.compare(b.prefix.length(), a.prefix.length()));
        return new RouterValues(List.copyOf(rules));
    }

    /** All values, most specific prefix first: to be checked when they are read. */
    public List<String> values() {
        return rules.stream().map(Rule::value).toList();
    }

    /** One value whatever the address: the name of a router that is known already, for example. */
    public static RouterValues always(String value) {
        return new RouterValues(
                List.of(new Rule(IpPrefix.parse("0.0.0.0/0"), value), new Rule(IpPrefix.parse("::/0"), value)));
    }

    Optional<String> of(InetAddress address) {
        for (Rule rule : rules) {
            if (rule.prefix.covers(address)) {
                return Optional.of(rule.value);
            }
        }
        return Optional.empty();
    }

    private record Rule(IpPrefix prefix, String value) {
        static Rule parse(String text) {
            int equals = text.indexOf('=');
            if (equals < 1 || equals == text.length() - 1 || text.indexOf('/') > equals) {
                throw new IllegalArgumentException("'" + text + "' is not of the form PREFIX=VALUE");
            }
            try {
                return new Rule(IpPrefix.parse(text.substring(0, equals)), text.substring(equals + 1));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("'" + text + "' names no prefix: " + e.getMessage(), e);
            }
        }
    }
}
