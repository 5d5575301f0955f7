package dev.silkroute.rpki;

import java.util.List;

/**
 * A validated ASPA payload (draft-ietf-sidrops-aspa-profile): all ASes that may be a provider of the customer AS, or a
 * route server that it uses.
 *
 * @param customer unsigned
 * @param providers unsigned, ascending, each of them once. AS 0 alone states that the customer has no provider
 */
public record Aspa(int customer, List<Integer> providers) {
    /** The maximum number of providers that is read: as many as a PDU of RTR with 64 KiB has. */
    public static final int MAX_PROVIDERS = 16_380;

    /**
     * Sorts the providers.
     *
     * @throws IllegalArgumentException if there is no provider
     */
    public Aspa {
        if (providers.isEmpty()) {
            throw new IllegalArgumentException(
                    "the ASPA of AS" + Integer.toUnsignedString(customer) + " has no providers");
        }
        providers =
                providers.stream().sorted(Integer::compareUnsigned).distinct().toList();
    }
}
