package dev.silkroute.bgp;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The role of a neighbor, as the AS of a monitored router sees it (RFC 9234, Section 3), in the order of the values of
 * BGP Role.
 */
public enum NeighborRole {
    PROVIDER,
    /** A route server. */
    RS,
    RS_CLIENT,
    CUSTOMER,
    PEER;

    private static final NeighborRole[] ROLES = values();

    /** Returns the value in the capability BGP Role (RFC 9234, Section 4.1). */
    public int code() {
        return ordinal();
    }

    /** Returns the role of a code; empty if none has it. */
    public static Optional<NeighborRole> of(int code) {
        return code >= 0 && code < ROLES.length ? Optional.of(ROLES[code]) : Optional.empty();
    }

    /**
     * Returns the role with a text.
     *
     * @throws IllegalArgumentException if there is none; the message quotes the text and lists the roles
     */
    public static NeighborRole parse(String text) {
        return Arrays.stream(values())
                .filter(role -> role.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + text + "' is not provider, customer, peer, rs or rs-client"));
    }

    /**
     * Reads the roles of ASes, such as {@code 64500=provider,64501=peer}.
     *
     * @return the roles by AS, unsigned
     * @throws IllegalArgumentException if the text is not valid; the message quotes what is wrong
     */
    public static Map<Integer, NeighborRole> ofAsns(String text) {
        Map<Integer, NeighborRole> roles = new HashMap<>();
        for (String part : text.split(",", -1)) {
            if (part.isBlank()) {
                continue;
            }
            String[] sides = part.strip().split("=", -1);
            if (sides.length != 2 || !sides[0].matches("\\d{1,10}")) {
                throw new IllegalArgumentException("'" + part.strip() + "' is not of the form AS=ROLE");
            }
            roles.put(Integer.parseUnsignedInt(sides[0]), parse(sides[1]));
        }
        return roles;
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the role that an AS has for a neighbor that has this role for it (RFC 9234, Section 4.2). */
    public NeighborRole counterpart() {
        return switch (this) {
            case PROVIDER -> CUSTOMER;
            case CUSTOMER -> PROVIDER;
            case RS -> RS_CLIENT;
            case RS_CLIENT -> RS;
            case PEER -> PEER;
        };
    }

    /**
     * Returns whether a route that a neighbor with this role has sent is a leak (RFC 9234, Section 5).
     *
     * @param onlyToCustomer the value of its attribute Only to Customer
     */
    public boolean leaks(long neighbor, long onlyToCustomer) {
        return switch (this) {
            case CUSTOMER, RS_CLIENT -> true;
            case PEER -> onlyToCustomer != neighbor;
            case PROVIDER, RS -> false;
        };
    }
}
