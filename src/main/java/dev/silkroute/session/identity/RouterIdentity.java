package dev.silkroute.session.identity;

import java.net.InetAddress;
import java.util.Locale;

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
        /** The certificate that the router has presented. */
        CERTIFICATE,
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
        DISAMBIGUATED;

        /** Returns the value of {@code name_source} in records and rows. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Returns whether the operator or an authority vouches for the name; any router can claim others. */
        public boolean isAssured() {
            return this == CERTIFICATE || this == CONFIGURED;
        }
    }

    /** Returns the identity of a router without a name of its own. */
    public static RouterIdentity ofAddress(InetAddress address) {
        return new RouterIdentity(address.getHostAddress(), Source.ADDRESS);
    }

    /** Returns the identity of a router whose name is known beforehand. */
    public static RouterIdentity configured(String name) {
        return new RouterIdentity(name, Source.CONFIGURED);
    }

    /** Returns the identity of a router that has presented a certificate with this name. */
    public static RouterIdentity certified(String name) {
        return new RouterIdentity(RouterIdentifier.sanitize(name), Source.CERTIFICATE);
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
