package dev.silkroute.session.identity;

import dev.silkroute.net.IpPrefix;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Settings of routers by source address, such as their names: {@code 192.0.2.0/24=edge,2001:db8::1=core}. The longest
 * matching prefix applies. Immutable.
 */
public final class RouterValues {
    public static final RouterValues NONE = new RouterValues(List.of());

    private final List<Rule> rules;

    private RouterValues(List<Rule> rules) {
        this.rules = rules;
    }

    /**
     * Parses a comma-separated list of {@code PREFIX=VALUE}.
     *
     * @throws IllegalArgumentException if an entry is malformed; the message names it
     */
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

    /** Returns all values, those of longer prefixes first. */
    public List<String> values() {
        return rules.stream().map(Rule::value).toList();
    }

    /** Returns settings that have the same value for every address. */
    public static RouterValues always(String value) {
        return new RouterValues(
                List.of(new Rule(IpPrefix.parse("0.0.0.0/0"), value), new Rule(IpPrefix.parse("::/0"), value)));
    }

    /** Returns the value for a router, empty if no prefix contains its address. */
    public Optional<String> of(InetAddress address) {
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
                throw new IllegalArgumentException(
                        "'" + text + "' does not begin with a valid prefix: " + e.getMessage(), e);
            }
        }
    }
}
