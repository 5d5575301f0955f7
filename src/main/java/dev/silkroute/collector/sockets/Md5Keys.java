package dev.silkroute.collector.sockets;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys with which TCP connections are signed (RFC 2385), by the address of the peer. Neither its text nor its
 * errors contain a key. Immutable.
 */
public final class Md5Keys {
    public static final Md5Keys NONE = new Md5Keys(Map.of());

    /** The longest key that Linux accepts, in bytes. */
    static final int MAX_KEY = 80;

    private static final Pattern LINE = Pattern.compile("(?<address>[^\\s=]+)(?:\\s*=\\s*|\\s+)(?<key>\\S+)");

    private final Map<InetAddress, byte[]> keys;

    private Md5Keys(Map<InetAddress, byte[]> keys) {
        this.keys = Collections.unmodifiableMap(keys);
    }

    /**
     * Parses lines of the form {@code ADDRESS KEY} or {@code ADDRESS=KEY}. Blank lines, and lines that begin with
     * {@code #}, are ignored.
     *
     * @throws IllegalArgumentException if a line is invalid; the message begins with its number
     */
    public static Md5Keys parse(List<String> lines) {
        Map<InetAddress, byte[]> keys = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                try {
                    add(keys, line);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("line " + (i + 1) + ": " + e.getMessage(), e);
                }
            }
        }
        return new Md5Keys(keys);
    }

    private static void add(Map<InetAddress, byte[]> keys, String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not of the form ADDRESS KEY; a key must not contain blanks");
        }
        InetAddress address = address(matcher.group("address"));
        byte[] key = matcher.group("key").getBytes(UTF_8);
        if (key.length > MAX_KEY) {
            throw new IllegalArgumentException("the key of " + address.getHostAddress() + " has " + key.length
                    + " bytes: it must have at most " + MAX_KEY);
        }
        if (keys.putIfAbsent(address, key) != null) {
            throw new IllegalArgumentException(address.getHostAddress() + " has a key already");
        }
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            // Without the text and its exception: it is the key if both are in the wrong order
            throw new IllegalArgumentException("does not begin with an IPv4 or IPv6 address");
        }
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** Returns the number of addresses that have a key. */
    public int size() {
        return keys.size();
    }

    /** Returns the keys as the value of Netty's option. The arrays must not be modified. */
    Map<InetAddress, byte[]> byAddress() {
        return keys;
    }

    /** Returns the key of one address as the value of Netty's option, an empty map if it has none. */
    Map<InetAddress, byte[]> of(InetAddress address) {
        byte[] key = keys.get(address);
        return key == null ? Map.of() : Map.of(address, key);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Md5Keys that
                && keys.keySet().equals(that.keys.keySet())
                && keys.entrySet().stream()
                        .allMatch(entry -> Arrays.equals(entry.getValue(), that.keys.get(entry.getKey())));
    }

    @Override
    public int hashCode() {
        return keys.keySet().hashCode();
    }

    @Override
    public String toString() {
        return "keys of " + keys.size() + (keys.size() == 1 ? " address" : " addresses");
    }
}
