package dev.silkroute.route.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.net.Json;
import java.io.IOException;

/** Writes a path marking as the fields {@code path_status} and {@code path_reason}. */
public final class MarkingJson {
    private MarkingJson() {}

    /**
     * Writes the fields into an open object: none without a marking.
     *
     * @param marking see {@link PathMarking}
     */
    public static void writeFields(long marking, JsonGenerator json) throws IOException {
        if (PathMarking.isMarked(marking)) {
            Json.strings("path_status", PathMarking.statusTexts(PathMarking.status(marking)), json);
        }
        if (PathMarking.hasReason(marking)) {
            json.writeStringField("path_reason", PathMarking.reasonText(PathMarking.reason(marking)));
        }
    }
}
