package dev.silkroute.route.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.RouteVerdicts;
import dev.silkroute.rpki.Validity;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The route of an announcement or a withdrawal.
 *
 * @param rd route distinguisher of a VPN prefix; null for other families
 * @param prefix null if the family's NLRI are not prefixes
 * @param nlri the canonical text, of any family
 * @param labels outermost first; empty without labels
 * @param pathId unsigned; null without ADD-PATH
 * @param marking a {@link PathMarking}
 * @param verdicts of the RPKI
 */
public record EventRoute(
        @Nullable String rd,
        @Nullable String prefix,
        String nlri,
        List<Integer> labels,
        @Nullable Long pathId,
        long marking,
        RouteVerdicts verdicts) {

    /** @param b the array that {@code nlri} reads */
    public static EventRoute of(int family, NlriReader nlri, byte[] b, long marking, RouteVerdicts verdicts) {
        Long pathId = nlri.hasPathId() ? Integer.toUnsignedLong(nlri.pathId()) : null;
        if (!nlri.isPrefix()) {
            return new EventRoute(null, null, text(family, nlri, b), List.of(), pathId, marking, verdicts);
        }
        String prefix = Addresses.prefix(nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength());
        String rd = nlri.hasRd() ? RouteDistinguisher.text(nlri.rd()) : null;
        List<Integer> labels =
                IntStream.range(0, nlri.labelCount()).map(nlri::label).boxed().toList();
        return new EventRoute(rd, prefix, rd == null ? prefix : rd + " " + prefix, labels, pathId, marking, verdicts);
    }

    /** Returns the route of a withdrawal. */
    public static EventRoute withdrawn(
            @Nullable String rd, @Nullable String prefix, String nlri, @Nullable Long pathId) {
        return new EventRoute(rd, prefix, nlri, List.of(), pathId, PathMarking.NONE, RouteVerdicts.NONE);
    }

    /** Returns the canonical text, or hex digits if a withdrawal's bytes do not have the form of an announcement. */
    private static String text(int family, NlriReader nlri, byte[] b) {
        try {
            return NlriText.of(family, b, nlri.from(), nlri.to());
        } catch (DecodeException e) {
            return Hex.of(b, nlri.from(), nlri.to());
        }
    }

    /** Writes the fields into an open JSON object. */
    public void write(JsonGenerator json) throws IOException {
        if (rd != null) {
            json.writeStringField("rd", rd);
        }
        if (prefix != null) {
            json.writeStringField("prefix", prefix);
        }
        json.writeStringField("nlri", nlri);
        if (!labels.isEmpty()) {
            json.writeArrayFieldStart("labels");
            for (int label : labels) {
                json.writeNumber(label);
            }
            json.writeEndArray();
        }
        if (pathId != null) {
            json.writeNumberField("path_id", pathId);
        }
        MarkingJson.writeFields(marking, json);
        Validity validity = verdicts.validity();
        if (validity != null) {
            json.writeStringField(Validity.HEADER, validity.text());
        }
        AspaVerdict aspa = verdicts.aspa();
        if (aspa != null) {
            json.writeStringField(AspaVerdict.HEADER, aspa.text());
        }
    }
}
