package dev.silkroute.rpki;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * ASPAs, in arrays of primitive values: 8 bytes for a customer and 4 for each of its providers. Routers choose the ASes
 * that are looked up, so nothing is hashed. Immutable.
 *
 * <pre>
 * index  customer   end     providers
 *   0    AS 64500    2      AS 64510, AS 64511
 *   1    AS 64501    3      AS 0
 * </pre>
 */
public final class AspaTable {
    /** The table of a station without ASPAs, by which no path is verified. */
    public static final AspaTable EMPTY = of(List.of());

    /** The maximum number of providers of all customers: ten for each AS that the Internet had in 2026. */
    public static final int MAX_PROVIDERS = 1_000_000;

    /** The statement of the table about a pair of ASes. */
    enum Attestation {
        /** The customer lists the other AS as a provider. */
        PROVIDER,
        /** The customer has an ASPA, which does not list the other AS. */
        NOT_PROVIDER,
        /** The customer has no ASPA. */
        NONE
    }

    /** Ascending as unsigned numbers, as the providers of each customer are. */
    private final int[] customers;

    /** The index in {@link #providers} after the last provider of each customer. */
    private final int[] ends;

    private final int[] providers;

    private AspaTable(Collection<Aspa> sorted) {
        customers = sorted.stream().mapToInt(Aspa::customer).toArray();
        providers = sorted.stream()
                .flatMap(aspa -> aspa.providers().stream())
                .mapToInt(Integer::intValue)
                .toArray();
        ends = new int[customers.length];
        int end = 0;
        int i = 0;
        for (Aspa aspa : sorted) {
            end += aspa.providers().size();
            ends[i++] = end;
        }
    }

    /**
     * Creates a table. If a customer has several ASPAs, all of their providers count
     * (draft-ietf-sidrops-aspa-verification, Section 4).
     */
    public static AspaTable of(Collection<Aspa> aspas) {
        TreeMap<Integer, Aspa> merged = new TreeMap<>(Integer::compareUnsigned);
        for (Aspa aspa : aspas) {
            merged.merge(aspa.customer(), aspa, AspaTable::union);
        }
        return new AspaTable(merged.values());
    }

    private static Aspa union(Aspa one, Aspa other) {
        List<Integer> both = new ArrayList<>(one.providers());
        both.addAll(other.providers());
        return new Aspa(one.customer(), both);
    }

    /** Returns the number of customers. */
    public int size() {
        return customers.length;
    }

    /** Returns the number of providers of all customers. */
    int providers() {
        return providers.length;
    }

    /** Returns all ASPAs, ascending by customer. */
    public List<Aspa> toList() {
        List<Aspa> aspas = new ArrayList<>(size());
        for (int i = 0; i < size(); i++) {
            aspas.add(new Aspa(
                    customers[i],
                    Arrays.stream(providers, start(i), ends[i]).boxed().toList()));
        }
        return aspas;
    }

    /** Returns whether an AS is a provider of a customer. Allocates nothing. */
    Attestation attestation(int customer, int provider) {
        int index = find(customers, 0, customers.length, customer);
        if (index < 0) {
            return Attestation.NONE;
        }
        return find(providers, start(index), ends[index], provider) < 0
                ? Attestation.NOT_PROVIDER
                : Attestation.PROVIDER;
    }

    private int start(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    /** Returns the index of an AS in a range of ascending unsigned numbers; negative if it is not there. */
    private static int find(int[] asns, int from, int to, int asn) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = Integer.compareUnsigned(asns[middle], asn);
            if (order == 0) {
                return middle;
            } else if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return -1;
    }
}
