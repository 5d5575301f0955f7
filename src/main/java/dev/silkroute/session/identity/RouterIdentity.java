package dev.silkroute.session.identity;

import java.net.InetAddress;

/**
 * The identity of a monitored router: the key of every Kafka record of a session and the {@code router} of every row.
 * It never changes within a session.
 *
 * @param name the router's name, without control characters, 255 code points at most
 * @param source where the name was taken from
 */
public record RouterIdentity(String name, Source source) {
    /** The sources of a router's name, in the order of precedence. */
    public enum Source {
        /** The operator has configured it for the source address. */
        CONFIGURED,
        /** The sysName TLV of an Initiation message (RFC 7854, Section 4.4). */
        SYS_NAME,
        /** The BGP identifier of the first OPEN that the router sent to a peer (RFC 7854, Section 4.10). */
        BGP_ID,
        /** The source address of the connection, because the router's messages contain no name. */
        ADDRESS,
        /**
         * The router's own name with its address appended, because another router uses that name: {@code NAME@ADDRESS}.
         */
        DISAMBIGUATED
    }

    /** Returns the identity of a router without a name of its own. */
    public static RouterIdentity ofAddress(InetAddress address) {
        return new RouterIdentity(address.getHostAddress(), Source.ADDRESS);
    }

    /** Returns the identity of a router whose name is known beforehand. */
    public static RouterIdentity configured(String name) {
        return new RouterIdentity(name, Source.CONFIGURED);
    }

    /** Returns this identity with the router's address appended to its name. */
    public RouterIdentity disambiguated(InetAddress address) {
        return new RouterIdentity(name + "@" + address.getHostAddress(), Source.DISAMBIGUATED);
    }

    @Override
    public String toString() {
        return name;
    }
}
