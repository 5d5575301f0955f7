package dev.silkroute.perf.incidents;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** The AS numbers of the scenario, the list of rules made of them, and the thresholds of the station. */
final class Network {
    static final int MINE = 64_500;
    static final int STRANGER = 64_666;
    static final int UPSTREAM = 64_601;
    static final List<Integer> UPSTREAMS = List.of(UPSTREAM, 64_602);
    static final int NEW_UPSTREAM = 64_777;
    static final int OLD_TRANSIT = 64_999;
    /** Two providers of {@link #LEAKER}, by the relations in the list. */
    static final int PROVIDER = 65_010;

    static final int OTHER_PROVIDER = 65_020;
    static final int LEAKER = 64_700;
    static final int FAR_ORIGIN = 64_800;

    static final int MIN_VANTAGE_POINTS = 2;
    static final int MIN_VISIBILITY_LOSS = 3;

    /** Each router has half of the vantage points. */
    static final int FEEDS = 6;

    private static final int FEED_ASN = 65_001;

    private Network() {}

    /** Each vantage point is another AS, but for the two sessions of the customer. */
    static int feedAsn(int feed) {
        return FEED_ASN + (isCustomer(feed) ? FEEDS : feed);
    }

    /** Returns whether a vantage point is one of the two sessions with the AS that the list has as a customer. */
    static boolean isCustomer(int feed) {
        return feed >= FEEDS - 2;
    }

    /** The file of rules, with an entry for each incident. */
    static String rules(List<Incident> incidents) {
        StringBuilder text = new StringBuilder();
        for (Incident incident : incidents) {
            text.append("""
                    "%s":
                      description: ""
                      asn: [%d]
                      ignoreMorespecifics: false
                      path:
                        - match: ",%d,"
                    """.formatted(incident.listed(), MINE, OLD_TRANSIT));
        }
        text.append("options:\n  monitorASns:\n    %d:\n      upstreams: %s\n".formatted(MINE, UPSTREAMS));
        text.append("  neighborRoles:\n    %d: customer\n".formatted(feedAsn(FEEDS - 1)));
        return text.append("  relations:\n    - %d|%d|-1\n    - %d|%d|-1\n"
                        .formatted(PROVIDER, LEAKER, OTHER_PROVIDER, LEAKER))
                .toString();
    }

    /** A file of VRPs with which the listed prefixes of some incidents may only have another origin AS. */
    static String vrps(Collection<Incident> invalid) {
        return invalid.stream()
                .map(incident ->
                        "{\"prefix\":\"%s\",\"asn\":%d,\"maxLength\":24}".formatted(incident.listed(), STRANGER))
                .collect(Collectors.joining(",", "{\"roas\":[", "]}"));
    }
}
