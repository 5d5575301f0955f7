package dev.silkroute.alert.path;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The role of a neighbor, as the AS of a monitored router sees it (RFC 9234, Section 3). */
public enum NeighborRole {
    PROVIDER,
    CUSTOMER,
    PEER,
    /** A route server. */
    RS,
    RS_CLIENT;

    public static Optional<NeighborRole> of(String text) {
        return Arrays.stream(values()).filter(role -> role.text().equals(text)).findFirst();
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
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
