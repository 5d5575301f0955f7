package dev.silkroute.alert;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.Evidence;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The number of routes of a table by a Statistics Report: a gauge of RFC 7854, RFC 8671 or RFC 9972 for one family.
 *
 * @param routes unsigned numbers beyond {@link Long#MAX_VALUE} are that
 * @param receivedAtMicros when the collector received the report, in microseconds since 1970
 */
public record ReportedSize(
        VantagePoint peer,
        RibView view,
        int family,
        long routes,
        long sessionId,
        long sequence,
        long receivedAtMicros) {
    private static final String VRF = "rd";
    private static final String LOC_RIB = "loc-rib";

    /** Returns the RIB view that a type of statistic is about, null if it is not a number of routes of a family. */
    public static @Nullable RibView view(int type, boolean ofLocRib) {
        return switch (type) {
            case 9, 19 -> RibView.ADJ_RIB_IN_PRE_POLICY; // 9 does not specify the view; 19 replaces it
            case 21 -> RibView.ADJ_RIB_IN_POST_POLICY;
            case 16 -> RibView.ADJ_RIB_OUT_PRE_POLICY;
            case 17 -> RibView.ADJ_RIB_OUT_POST_POLICY;
            case 10 -> ofLocRib ? RibView.LOC_RIB : null;
            default -> null;
        };
    }

    /**
     * Returns those of a record of {@code bmp.stats}; if there are several of a table, the last one counts.
     *
     * @throws IllegalArgumentException if a field is missing or not valid
     */
    public static List<ReportedSize> read(JsonNode json) {
        if (json.path("router").asText().isEmpty() || !json.path("session_id").isNumber()) {
            throw new IllegalArgumentException("no router or session_id");
        }
        String peerType = json.path("peer_type").asText();
        List<JsonNode> statistics = new ArrayList<>();
        if (!peerType.equals(VRF)) {
            json.path("statistics").forEach(statistics::add);
        }
        statistics.sort(
                Comparator.comparingInt(statistic -> statistic.path("type").asInt()));
        List<ReportedSize> sizes = new ArrayList<>();
        for (JsonNode statistic : statistics) {
            RibView view = view(statistic.path("type").asInt(), peerType.equals(LOC_RIB));
            int family =
                    statistic.path("afi").asInt() << 8 | statistic.path("safi").asInt();
            if (view != null && isCounted(family) && !statistic.has("enterprise") && statistic.hasNonNull("value")) {
                sizes.add(read(json, view, family, statistic.path("value").asText()));
            }
        }
        return sizes;
    }

    private static ReportedSize read(JsonNode json, RibView view, int family, String value) {
        try {
            long routes = Long.parseUnsignedLong(value);
            Evidence fields = Evidence.read(json);
            return new ReportedSize(
                    fields.vantagePoint(),
                    view,
                    family,
                    routes < 0 ? Long.MAX_VALUE : routes,
                    fields.sessionId(),
                    fields.sequence(),
                    fields.receivedAtMicros());
        } catch (NumberFormatException | DateTimeException e) {
            throw new IllegalArgumentException("a number or time is not valid: " + e.getMessage(), e);
        }
    }

    /** Returns whether tables of a family are counted. */
    public static boolean isCounted(int family) {
        return family == Family.IPV4_UNICAST || family == Family.IPV6_UNICAST;
    }

    /** Returns whether a record of {@code bmp.stats} describes a report that was decoded again later. */
    public static boolean isRedecoded(JsonNode json) {
        return json.path("redecoded").asBoolean();
    }

    AlertSubject.OfTable table() {
        return new AlertSubject.OfTable(peer.router(), peer, view, family);
    }

    boolean isSameReport(ReportedSize other) {
        return sessionId == other.sessionId && sequence == other.sequence;
    }
}
