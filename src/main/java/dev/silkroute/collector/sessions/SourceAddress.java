package dev.silkroute.collector.sessions;

import dev.silkroute.net.KeyedHash;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The source address of sessions, as a key of tables. The hash of {@link java.net.Inet6Address} is the sum of the
 * address's parts, so that the owner of an IPv6 network could choose many with the same hash.
 */
final class SourceAddress {
    private final InetAddress address;
    private final int hash;

    SourceAddress(InetAddress address) {
        byte[] bytes = address.getAddress();
        this.address = address;
        hash = KeyedHash.fold(KeyedHash.of(bytes.length, bytes, 0, bytes.length));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SourceAddress that && hash == that.hash && address.equals(that.address);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
