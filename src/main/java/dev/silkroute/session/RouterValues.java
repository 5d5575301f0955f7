package dev.silkroute.session;

import dev.silkroute.net.Addresses;
import java.net.Inet6Address;
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
        rules.sort((a, b) -> Integer.compare(b.length, a.length));
        return new RouterValues(List.copyOf(rules));
    }

    /** All values, most specific prefix first: to be checked when they are read. */
    public List<String> values() {
        return rules.stream().map(Rule::value).toList();
    }

    /** One value whatever the address: the name of a router that is known already, for example. */
    public static RouterValues always(String value) {
        return new RouterValues(List.of(new Rule(false, 0, 0, 0, value), new Rule(true, 0, 0, 0, value)));
    }

    Optional<String> of(InetAddress address) {
        for (Rule rule : rules) {
            if (rule.matches(address)) {
                return Optional.of(rule.value);
            }
        }
        return Optional.empty();
    }

    private record Rule(boolean ipv6, long high, long low, int length, String value) {
        static Rule parse(String text) {
            int equals = text.indexOf('=');
            int slash = text.indexOf('/');
            if (equals < 1 || equals == text.length() - 1 || slash > equals) {
                throw new IllegalArgumentException("'" + text + "' is not of the form PREFIX=VALUE");
            }
            try {
                InetAddress address = InetAddress.ofLiteral(text.substring(0, slash < 0 ? equals : slash));
                boolean ipv6 = address instanceof Inet6Address;
                int width = ipv6 ? 128 : 32;
                int length = slash < 0 ? width : Integer.parseInt(text.substring(slash + 1, equals));
                if (length < 0 || length > width) {
                    throw new IllegalArgumentException("prefix length " + length);
                }
                return new Rule(ipv6, high(address), low(address), length, text.substring(equals + 1));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("'" + text + "' names no prefix: " + e.getMessage(), e);
            }
        }

        boolean matches(InetAddress address) {
            boolean six = address instanceof Inet6Address;
            if (six != ipv6) {
                return false;
            }
            if (!six) {
                return Addresses.maskIpv4((int) low(address), length) == Addresses.maskIpv4((int) low, length);
            }
            return Addresses.maskHigh(high(address), length) == Addresses.maskHigh(high, length)
                    && Addresses.maskLow(low(address), length) == Addresses.maskLow(low, length);
        }

        private static long high(InetAddress address) {
            byte[] bytes = address.getAddress();
            return bytes.length == 4 ? 0 : half(bytes, 0, 8);
        }

        private static long low(InetAddress address) {
            byte[] bytes = address.getAddress();
            return bytes.length == 4 ? half(bytes, 0, 4) : half(bytes, 8, 16);
        }

        private static long half(byte[] bytes, int from, int to) {
            long value = 0;
            for (int i = from; i < to; i++) {
                value = value << 8 | bytes[i] & 0xFF;
            }
            return value;
        }
    }
}
