package dev.silkroute.alert;

import java.util.Collection;

/** Writes parts of a file that {@link RulesFile} reads. */
public final class RulesText {
    private RulesText() {}

    /**
     * Returns the entry of a prefix. It is quoted, because an IPv6 prefix contains colons.
     *
     * @param asns the expected origin ASes, separated by commas
     */
    public static String entry(String prefix, String asns) {
        return """
            "%s":
              description: ""
              asn: [%s]
              ignoreMorespecifics: false
            """.formatted(prefix, asns);
    }

    /** Returns the entry that monitors ASes. */
    public static String monitored(Collection<Long> asns) {
        StringBuilder text = new StringBuilder("options:\n  monitorASns:\n");
        asns.forEach(asn -> text.append("    ").append(asn).append(": {group: default}\n"));
        return text.toString();
    }
}
