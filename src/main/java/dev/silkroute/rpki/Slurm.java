package dev.silkroute.rpki;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.net.IpPrefix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Local exceptions to VRPs (SLURM, RFC 8416): filters remove VRPs, assertions add some. Filters and assertions for
 * BGPsec are ignored.
 */
public final class Slurm {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Removes the VRPs inside the prefix, of the AS, or of both if both are given (RFC 8416, Section 3.3.1).
     *
     * @param prefix null if every prefix matches
     * @param asn unsigned 32 bits, null if every AS matches
     */
    private record Filter(
            @Nullable IpPrefix prefix, @Nullable Integer asn) {
        boolean removes(Vrp vrp) {
            return (asn == null || asn == vrp.asn()) && (prefix == null || contains(prefix, vrp.prefix()));
        }

        private static boolean contains(IpPrefix outer, IpPrefix inner) {
            return outer.ipv6() == inner.ipv6()
                    && outer.length() <= inner.length()
                    && outer.equals(inner.truncate(outer.length()));
        }
    }

    private final List<Filter> filters;
    private final List<Vrp> assertions;

    private Slurm(List<Filter> filters, List<Vrp> assertions) {
        this.filters = filters;
        this.assertions = assertions;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read or violates RFC 8416; the message names the file and the entry
     */
    public static Slurm read(Path file) throws IOException {
        JsonNode root;
        try {
            root = JSON.readTree(file.toFile());
        } catch (JacksonException e) {
            throw new IOException(
                    file + ", line " + e.getLocation().getLineNr() + ": invalid JSON: " + e.getOriginalMessage(), e);
        }
        if (root.path("slurmVersion").asInt() < 1 || root.path("slurmVersion").asInt() > 2) {
            throw new IOException(file + ": slurmVersion is neither 1 nor 2");
        }
        List<Filter> filters = new ArrayList<>();
        List<Vrp> assertions = new ArrayList<>();
        JsonNode given = root.path("validationOutputFilters").path("prefixFilters");
        for (int i = 0; i < given.size(); i++) {
            JsonNode entry = given.get(i);
            filters.add(at(file, "prefixFilters", i, () -> filter(entry)));
        }
        JsonNode added = root.path("locallyAddedAssertions").path("prefixAssertions");
        for (int i = 0; i < added.size(); i++) {
            JsonNode entry = added.get(i);
            assertions.add(at(
                    file,
                    "prefixAssertions",
                    i,
                    () -> new VrpFile.Entry(text(entry, "prefix"), text(entry, "maxPrefixLength"), text(entry, "asn"))
                            .toVrp()));
        }
        return new Slurm(filters, assertions);
    }

    private static Filter filter(JsonNode entry) {
        String prefix = text(entry, "prefix");
        String asn = text(entry, "asn");
        if (prefix == null && asn == null) {
            throw new IllegalArgumentException("there is neither a prefix nor an AS number");
        }
        return new Filter(prefix == null ? null : IpPrefix.parse(prefix), asn == null ? null : Vrp.parseAsn(asn));
    }

    private static @Nullable String text(JsonNode entry, String field) {
        JsonNode value = entry.get(field);
        return value == null ? null : value.asText();
    }

    private interface Parser<T> {
        T parse();
    }

    private static <T> T at(Path file, String list, int index, Parser<T> parser) throws IOException {
        try {
            return parser.parse();
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ", entry " + (index + 1) + " of " + list + ": " + e.getMessage(), e);
        }
    }

    /** Returns the VRPs without those that a filter removes, and with the assertions, which no filter removes. */
    public VrpTable apply(VrpTable vrps) {
        VrpTable.Builder applied = new VrpTable.Builder();
        for (Vrp vrp : vrps.toList()) {
            if (filters.stream().noneMatch(filter -> filter.removes(vrp))) {
                applied.add(vrp);
            }
        }
        assertions.forEach(applied::add);
        return applied.build();
    }
}
