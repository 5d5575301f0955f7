package dev.silkroute.alert.path;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Relations between ASes, in the format of CAIDA's AS relationships, serial-1: {@code provider|customer|-1} and {@code
 * peer|peer|0}. Immutable.
 */
public final class AsRelations {
    public static final AsRelations NONE = new AsRelations();

    private static final long MAX_ASN = 0xFFFF_FFFFL;
    private static final int FIELDS = 3;

    private final Map<Long, Set<Long>> providers = new HashMap<>();
    private final Map<Long, Set<Long>> peers = new HashMap<>();

    private AsRelations() {}

    /**
     * Reads relations.
     *
     * @param lines empty ones, and comments that begin with {@code #}, are skipped
     * @throws IllegalArgumentException if a line is not valid; the message contains its number and text
     */
    public static AsRelations of(Collection<String> lines) {
        AsRelations relations = new AsRelations();
        int number = 0;
        for (String line : lines) {
            number++;
            String text = line.strip();
            if (!text.isEmpty() && text.charAt(0) != '#' && !relations.add(text.split("\\|", -1))) {
                throw new IllegalArgumentException("line " + number + ": '" + text
                        + "' is not provider|customer|-1 or peer|peer|0 with AS numbers");
            }
        }
        return relations;
    }

    private boolean add(String[] fields) {
        long first = fields.length == FIELDS ? asn(fields[0]) : -1;
        long second = first < 0 ? -1 : asn(fields[1]);
        if (second < 0) {
            return false;
        }
        switch (fields[2]) {
            case "-1" ->
                providers.computeIfAbsent(second, asn -> new HashSet<>()).add(first);
            case "0" -> {
                peers.computeIfAbsent(first, asn -> new HashSet<>()).add(second);
                peers.computeIfAbsent(second, asn -> new HashSet<>()).add(first);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static long asn(String text) {
        try {
            long asn = Long.parseLong(text);
            return asn <= MAX_ASN ? asn : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    public boolean isEmpty() {
        return providers.isEmpty() && peers.isEmpty();
    }

    /** Returns "provider" or "peer" if that is what an AS is to another one; empty if it is a customer or unknown. */
    public String above(long of, long asn) {
        if (providers.getOrDefault(of, Set.of()).contains(asn)) {
            return "provider";
        }
        return peers.getOrDefault(of, Set.of()).contains(asn) ? "peer" : "";
    }
}
