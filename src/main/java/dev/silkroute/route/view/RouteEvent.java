package dev.silkroute.route.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.Family;
import dev.silkroute.net.Json;
import dev.silkroute.net.Timestamps;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteChange;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.Validity;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One event as an object, for JSON and for routes that process single events. Names and texts are those of
 * {@code v_route_history}. {@link RouteEvents} creates the events of a batch.
 *
 * @param header what every event has
 * @param peer null for events of a session or collector
 * @param family 0 without family
 * @param route null unless the event is an announcement or a withdrawal
 * @param attributes null unless the event is an announcement
 */
public record RouteEvent(
        Header header,
        EventSource source,
        @Nullable EventPeer peer,
        int family,
        @Nullable EventRoute route,
        @Nullable EventAttributes attributes) {

    /**
     * The fields that all events have.
     *
     * @param sequence unique within the session; larger for later events
     * @param routerTimeMicros the router's time in microseconds since 1970, 0 if it sent none
     * @param synthetic whether the station generated the event
     * @param tableDump whether the announcement is part of an initial table dump
     * @param allViews whether the event applies to all RIB views of the peer
     * @param redecoded whether the event was decoded again later and does not describe the present
     */
    public record Header(
            EventKind kind,
            long sequence,
            long routerTimeMicros,
            boolean synthetic,
            boolean tableDump,
            boolean allViews,
            boolean redecoded) {}

    /** Returns a withdrawal that the station has generated, in none of the router's batches. */
    public static RouteEvent syntheticWithdrawal(
            EventSource source, long sequence, EventPeer peer, int family, EventRoute route) {
        Header header = new Header(EventKind.WITHDRAW, sequence, 0, true, false, false, false);
        return new RouteEvent(header, source, peer, family, route, null);
    }

    /** Returns the kind as text, such as {@code end-of-rib}. */
    public String event() {
        return header.kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the name of the family; null without family. */
    public @Nullable String familyName() {
        return family == 0 ? null : Family.text(family);
    }

    /** Returns whether this is an announcement or a withdrawal, not an event of a peer or session. */
    public boolean isRoute() {
        return header.kind.isRoute();
    }

    /**
     * Returns the event as a JSON object in UTF-8; {@code docs/reference/json.md} and {@code
     * docs/reference/schema/route.schema.json} describe it.
     *
     * @param change what a route event has changed in the RIB
     * @param labels of the peer, by name
     */
    public byte[] toJson(RouteChange change, Map<String, String> labels) {
        return Json.utf8(json -> write(change, labels, json));
    }

    /** Returns the event as a JSON object in UTF-8, without change and labels, for routes: {@code ${body.json}}. */
    public byte[] json() {
        return toJson(RouteChange.NOT_REPORTED, Map.of());
    }

    /** Returns the AS number of the peer, for routes: {@code ${body.peerAsn}}; null for events without a peer. */
    public @Nullable Long peerAsn() {
        return peer == null ? null : peer.asn();
    }

    /**
     * Returns the validity by RPKI, for routes: {@code ${body.rpkiValidity}}; null without one, as in all events of a
     * batch that no step has validated.
     */
    public @Nullable String rpkiValidity() {
        Validity validity = route == null ? null : route.verdicts().validity();
        return validity == null ? null : validity.text();
    }

    /** Returns the verdict about the AS path by ASPAs, for routes: {@code ${body.aspa}}; null without one. */
    public @Nullable String aspa() {
        AspaVerdict aspa = route == null ? null : route.verdicts().aspa();
        return aspa == null ? null : aspa.text();
    }

    private void write(RouteChange change, Map<String, String> labels, JsonGenerator json) throws IOException {
        EventKind kind = header.kind;
        json.writeStartObject();
        json.writeStringField("event", event());
        source.write(json);
        json.writeNumberField("sequence", header.sequence);
        if (header.routerTimeMicros != 0) {
            json.writeStringField("router_time", Timestamps.text(header.routerTimeMicros));
        }
        json.writeBooleanField("synthetic", header.synthetic);
        if (header.tableDump) {
            json.writeBooleanField("table_dump", true);
        }
        if (kind.isRoute() && !change.text().isEmpty()) {
            json.writeStringField("change", change.text());
        }
        if (header.redecoded) {
            json.writeBooleanField("redecoded", true);
        }
        if (peer != null) {
            peer.write(json);
        }
        if (!labels.isEmpty()) {
            json.writeObjectFieldStart("peer_labels");
            for (Map.Entry<String, String> label : labels.entrySet()) {
                json.writeStringField(label.getKey(), label.getValue());
            }
            json.writeEndObject();
        }
        boolean allTables = kind == EventKind.END_OF_RIB && header.allViews;
        if (kind == EventKind.PEER_DOWN || allTables) {
            json.writeBooleanField("all_views", header.allViews);
        }
        if (kind.isRoute() || kind == EventKind.END_OF_RIB && !allTables) {
            json.writeNumberField("afi", Family.afi(family));
            json.writeNumberField("safi", Family.safi(family));
            json.writeStringField("family", Family.text(family));
        }
        if (route != null) {
            route.write(json);
        }
        if (attributes != null) {
            attributes.write(json);
        }
        json.writeEndObject();
    }
}
