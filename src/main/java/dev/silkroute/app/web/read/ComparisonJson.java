package dev.silkroute.app.web.read;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.app.reconcile.Comparisons;
import dev.silkroute.app.reconcile.DigestJson;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.digest.ComparedTable;
import dev.silkroute.digest.ComparedTable.ComparedRoute;
import dev.silkroute.digest.RouteState;
import dev.silkroute.digest.TableDigest;
import dev.silkroute.net.Hex;
import dev.silkroute.net.Json;
import dev.silkroute.route.view.EventAttributes;
import dev.silkroute.route.view.MarkingJson;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes the result of a comparison of tables as JSON. */
final class ComparisonJson {
    private ComparisonJson() {}

    /** @param state {@code equal} or {@code differs} for the tables in this state only, null for all tables */
    static String text(Comparisons.With with, Comparisons.Outcome outcome, @Nullable String state) {
        var result = outcome.result();
        List<ComparedTable> tables = result.tables().stream()
                .filter(table -> state == null || state.equals("equal") == isEqual(table))
                .toList();
        return Json.string(json -> {
            json.writeStartObject();
            json.writeStringField("with", with.name().toLowerCase(Locale.ROOT));
            DigestJson.position("here", result.here(), json);
            DigestJson.position("there", result.there(), json);
            if (with == Comparisons.With.TWIN) {
                json.writeNumberField("exchanged_bytes", outcome.exchanged());
            }
            json.writeArrayFieldStart("data");
            for (ComparedTable table : tables) {
                table(table, json);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("routes");
            for (ComparedTable table : tables) {
                for (ComparedRoute route : table.routes()) {
                    route(table, route, json);
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static boolean isEqual(ComparedTable table) {
        return table.state() == ComparedTable.State.EQUAL;
    }

    private static void table(ComparedTable table, JsonGenerator json) throws IOException {
        json.writeStartObject();
        DigestJson.table(table.name(), peerAsn(table), json);
        json.writeStringField("state", table.state().text());
        digest("here", table.here(), json);
        digest("there", table.there(), json);
        if (table.differing() >= 0) {
            json.writeNumberField("differing_routes", table.differing());
        }
        if (table.settled() > 0) {
            json.writeNumberField("settled_routes", table.settled());
        }
        json.writeEndObject();
    }

    private static long peerAsn(ComparedTable table) {
        TableDigest digest = table.here() == null ? table.there() : table.here();
        return digest == null ? 0 : digest.peerAsn();
    }

    private static void digest(String side, @Nullable TableDigest digest, JsonGenerator json) throws IOException {
        if (digest != null) {
            json.writeNumberField(side + "_routes", digest.routes());
            json.writeStringField(side + "_digest", Hex.of(digest.sum()));
        }
    }

    private static void route(ComparedTable table, ComparedRoute route, JsonGenerator json) throws IOException {
        json.writeStartObject();
        DigestJson.table(table.name(), peerAsn(table), json);
        json.writeStringField("nlri", route.any().nlri());
        if (route.any().pathId().isPresent()) {
            json.writeNumberField("path_id", route.any().pathId().getAsLong());
        }
        json.writeStringField("state", state(route).text());
        if (route.isMoving()) {
            json.writeBooleanField("moving", true);
        }
        side("here", route.here(), json);
        side("there", route.there(), json);
        json.writeEndObject();
    }

    private static ComparedTable.State state(ComparedRoute route) {
        if (route.there() == null) {
            return ComparedTable.State.ONLY_HERE;
        }
        return route.here() == null ? ComparedTable.State.ONLY_THERE : ComparedTable.State.DIFFERS;
    }

    private static void side(String name, @Nullable RouteState route, JsonGenerator json) throws IOException {
        if (route == null) {
            return;
        }
        json.writeObjectFieldStart(name);
        if (route.labels().length > 0) {
            json.writeArrayFieldStart("labels");
            for (int label : route.labels()) {
                json.writeNumber(label);
            }
            json.writeEndArray();
        }
        MarkingJson.writeFields(route.marking(), json);
        EventAttributes.writeFields(PathAttributes.decode(route.attributes(), 0, route.attributes().length), json);
        json.writeEndObject();
    }
}
