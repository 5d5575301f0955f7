package dev.silkroute.perf.chaos;

import dev.silkroute.chaos.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A verdict as rows of a table. */
final class Report {
    private Report() {}

    static void row(List<Map<String, Object>> rows, String what, Object value) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("what", what);
        row.put("value", value);
        rows.add(row);
    }

    static void add(List<Map<String, Object>> rows, Verdict verdict) {
        row(rows, "BMP sessions begun", verdict.sessions());
        row(rows, "routes at the end", verdict.routes());
        row(rows, "events in bmp.routes", verdict.events());
        row(rows, "events in history", verdict.history().rows());
        row(rows, "events lost", verdict.history().missing());
        row(rows, "events twice", verdict.history().twice());
        row(
                rows,
                "events that are not in the topic, or differ",
                verdict.history().unknown());
        row(
                rows,
                "announcements not repeated, unchanged after a reconnect",
                verdict.history().unchanged());
        row(rows, "withdrawals made by the station", verdict.history().synthetic());
        row(rows, "of them in the name of a later End-of-RIB", verdict.history().late());
        row(
                rows,
                "routes that came again before their withdrawal",
                verdict.history().spared());
        row(
                rows,
                "withdrawals by the station that are missing",
                verdict.history().unended());
        row(
                rows,
                "withdrawals by the station that are too many",
                verdict.history().wronglyEnded());
        row(rows, "seconds until current state was right", verdict.recovered());
        row(rows, "MiB resident, largest process", verdict.mostMib() + " (bound: " + Verdict.MOST_MIB + ")");
        row(rows, "faults", verdict.faults().isEmpty() ? "none" : String.join("; ", verdict.faults()));
    }
}
