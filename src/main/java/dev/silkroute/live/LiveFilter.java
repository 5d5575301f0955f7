package dev.silkroute.live;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.route.PeerEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A filter of messages. An absent condition matches every message.
 *
 * @param peersOnly whether only messages of a peer match, which is all that RIS Live's form has fields for
 * @param router the router's identity
 * @param peer the peer's address, as a prefix of full length
 * @param require a field that the message must have, of {@link #REQUIRABLE}
 * @param prefix a prefix: one of the message's must be equal to it or, according to the next two fields, within it or
 *     cover it
 * @param family the name of the family
 */
public record LiveFilter(
        boolean peersOnly,
        @Nullable String router,
        @Nullable IpPrefix peer,
        @Nullable MessageType type,
        @Nullable String require,
        @Nullable PathPattern path,
        @Nullable IpPrefix prefix,
        boolean moreSpecific,
        boolean lessSpecific,
        @Nullable RibView view,
        @Nullable String family) {
    private static final Set<String> REQUIRABLE =
            Set.of("announcements", "withdrawals", "path", "origin", "community", "med", "aggregator", "state");

    private static final List<String> NOT_OF_ALERTS = List.of("require", "path", "view", "family");

    /** Bounds the memory of a subscriber's filters, whose number is bounded as well. */
    private static final int MAX_LENGTH = 512;

    private static final Set<String> KEYS = Set.of(
            "host",
            "router",
            "peer",
            "type",
            "require",
            "path",
            "prefix",
            "moreSpecific",
            "lessSpecific",
            "view",
            "family");

    /**
     * Parses conditions. One with an empty value is absent; {@code host} is RIS Live's name of {@code router}.
     *
     * @throws IllegalArgumentException if a condition does not exist or has an invalid value
     */
    public static LiveFilter parse(Map<String, String> conditions, boolean peersOnly) {
        conditions.keySet().stream()
                .filter(key -> !KEYS.contains(key))
                .findFirst()
                .ifPresent(key -> {
                    throw new IllegalArgumentException("'" + key + "' is not a filter: use "
                            + String.join(", ", KEYS.stream().sorted().toList()));
                });
        String router = text(conditions, "router");
        String peer = text(conditions, "peer");
        String path = text(conditions, "path");
        String prefix = text(conditions, "prefix");
        MessageType type = choice(conditions, "type", Arrays.asList(MessageType.values()), MessageType::name);
        if (type == MessageType.ALERT) {
            NOT_OF_ALERTS.stream()
                    .filter(key -> text(conditions, key) != null)
                    .findFirst()
                    .ifPresent(key -> {
                        throw new IllegalArgumentException("'" + key + "' does not select messages of the type ALERT");
                    });
        }
        return new LiveFilter(
                peersOnly,
                router == null ? text(conditions, "host") : router,
                peer == null ? null : address(peer),
                type,
                choice(conditions, "require", REQUIRABLE.stream().sorted().toList(), key -> key),
                path == null ? null : PathPattern.parse(path),
                prefix == null ? null : IpPrefix.parse(prefix),
                flag(conditions, "moreSpecific", true),
                flag(conditions, "lessSpecific", false),
                choice(conditions, "view", Arrays.asList(RibView.values()), RibView::text),
                text(conditions, "family"));
    }

    private static @Nullable String text(Map<String, String> conditions, String key) {
        String value = conditions.get(key);
        if (value != null && value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("'" + key + "' must not be longer than " + MAX_LENGTH + " characters");
        }
        return value == null || value.isBlank() ? null : value.strip();
    }

    private static IpPrefix address(String text) {
        IpPrefix address = IpPrefix.parse(text);
        if (address.length() != (address.ipv6() ? 128 : 32)) {
            throw new IllegalArgumentException("'" + text + "' is not an address");
        }
        return address;
    }

    private static boolean flag(Map<String, String> conditions, String key, boolean otherwise) {
        String value = text(conditions, key);
        if (value == null) {
            return otherwise;
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(key + " is true or false, not '" + value + "'");
        };
    }

    private static <T> @Nullable T choice(
            Map<String, String> conditions, String key, List<T> choices, Function<T, String> name) {
        String value = text(conditions, key);
        if (value == null) {
            return null;
        }
        for (T choice : choices) {
            if (name.apply(choice).equalsIgnoreCase(value)) {
                return choice;
            }
        }
        throw new IllegalArgumentException("'" + value + "' is not a value of " + key + ": use "
                + String.join(", ", choices.stream().map(name).toList()));
    }

    /** A client must not be able to choose filters whose hashes are equal. Texts are short, and filters few. */
    @Override
    public int hashCode() {
        return KeyedHash.fold(KeyedHash.of(0, toString()));
    }

    /** Returns whether all conditions but that of the prefix match, which {@link FilterIndex} checks. */
    boolean matches(MessageFields message) {
        PeerEntry ofMessage = message.peer();
        List<String> announced = message.announcedPath();
        return (!peersOnly || ofMessage != null)
                && (router == null || router.equals(message.router()))
                && (peer == null || ofMessage != null && isAddressOf(peer, ofMessage))
                && (view == null || ofMessage != null && ofMessage.view() == view)
                && (type == null || type == message.type())
                && (family == null || family.equalsIgnoreCase(message.familyName()))
                && (path == null || announced != null && path.matches(announced))
                && (require == null || message.has(require));
    }

    private static boolean isAddressOf(IpPrefix address, PeerEntry peer) {
        return address.ipv6() == peer.ipv6()
                && address.high() == peer.addressHigh()
                && address.low() == peer.addressLow();
    }
}
