package dev.silkroute.app.web.read;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.app.web.ProblemException;
import dev.silkroute.app.web.ProblemType;
import dev.silkroute.bgp.PeerType;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.component.rib.RibConstants;
import dev.silkroute.component.rib.RibNotReady;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.Json;
import dev.silkroute.net.Timestamps;
import dev.silkroute.rib.RibRoute;
import dev.silkroute.route.PathVerification;
import dev.silkroute.route.view.EventAttributes;
import dev.silkroute.route.view.MarkingJson;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.Validity;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.ProducerTemplate;

/**
 * {@code /api/v1/lookup?address=} and {@code ?prefix=}: for each peer and RIB view, the routes with the longest
 * prefix that matches an address or covers a prefix. The current ones come from the RIB in memory; those at a time,
 * and those of a station without RIB, come from the database.
 */
@Path("/api/v1/lookup")
@Produces({MediaType.APPLICATION_JSON, Answers.NDJSON})
public final class LookupResource {
    /** Present if routes may be missing from an answer, also an empty one, because the RIB has no memory for them. */
    private static final String INCOMPLETE_HEADER = "Silkroute-Incomplete";

    private static final String ADDRESS = "address";
    private static final String INCOMPLETE = "incomplete";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MICROS_PER_MILLI = 1_000;
    private static final String EXAMPLES = "use ?address=192.0.2.1 or ?prefix=192.0.2.0/24";

    private final ProducerTemplate producer;
    private final Answers answers;
    private final OriginValidation validation;
    private final boolean hasRib;

    @Inject
    LookupResource(ProducerTemplate producer, Answers answers, OriginValidation validation, StationConfig config) {
        this.producer = producer;
        this.answers = answers;
        this.validation = validation;
        hasRib = config.roles().has(Role.RIB);
    }

    @GET
    public Response lookup() throws SQLException {
        var parameters = answers.parameters(List.of(
                ADDRESS,
                RouteFilter.PREFIX,
                RouteFilter.ROUTER,
                RouteFilter.PEER,
                RouteFilter.VIEW,
                RouteFilter.AT,
                RouteColumns.VALIDITY,
                RouteColumns.ASPA,
                Answers.FIELDS));
        var destination = destination(parameters);
        var time = parameters.time(RouteFilter.AT);
        boolean present = hasRib && time == null;
        if (present && !parameters.has(Answers.FIELDS)) {
            return fromRib(destination, filter(parameters), RouteColumns.LOOKUP);
        }
        var query = RouteFilter.longest(parameters, time, destination);
        RouteFilter.addValidity(query, parameters, time);
        var listing = Listing.of(query, RouteColumns.LOOKUP, RouteOrder.RIB);
        var fields = listing.fields(parameters.text(Answers.FIELDS));
        if (present && RouteColumns.RIB_LOOKUP.containsAll(fields)) {
            return fromRib(destination, filter(parameters), fields);
        }
        RouteFilter.verdict(parameters, false);
        return answers.all(listing, parameters);
    }

    private Predicate<RibRoute> filter(Parameters parameters) {
        var router = parameters.text(RouteFilter.ROUTER);
        var peer = parameters.address(RouteFilter.PEER);
        var view = RouteFilter.view(parameters);
        var validity = RouteFilter.validity(parameters);
        var verdict = RouteFilter.verdict(parameters, true);
        return route -> (router == null || router.equals(route.peer().router()))
                && (peer == null || peer.equals(route.peer().address()))
                && (view == null || view.equals(route.view().text()))
                && (validity == null
                        || validity(route)
                                .filter(state -> state.text().equals(validity))
                                .isPresent())
                && (verdict == null
                        || verdict(route)
                                .filter(state -> state.text().equals(verdict))
                                .isPresent());
    }

    private Response fromRib(IpPrefix destination, Predicate<RibRoute> filter, List<String> fields) {
        var answer = producer.request(
                "rib:lookup?rib=#rib&offsets=#ribFeed",
                exchange -> exchange.getMessage().setBody(destination.toString()));
        if (answer.getException() instanceof RibNotReady notReady) {
            throw new ProblemException(ProblemType.RETRY_LATER, String.valueOf(notReady.getMessage()), notReady);
        } else if (answer.getException() != null) {
            throw new CamelExecutionException("the lookup failed", answer, answer.getException());
        }
        List<?> found = answer.getMessage().getBody(List.class);
        boolean incomplete = Boolean.TRUE.equals(answer.getMessage().getHeader(RibConstants.INCOMPLETE));
        var routes = found.stream().map(RibRoute.class::cast).filter(filter).toList();
        boolean lines = answers.acceptsLines();
        var body = lines ? lines(routes, incomplete, fields) : array(routes, incomplete, fields);
        var lastUpdated = answer.getMessage().getHeader(RibConstants.LAST_UPDATED, Long.class);
        var response = answers.complete(
                body.getBytes(StandardCharsets.UTF_8),
                lines ? Answers.NDJSON : MediaType.APPLICATION_JSON,
                lastUpdated == null ? null : Timestamps.text(lastUpdated * MICROS_PER_MILLI));
        return (incomplete ? response.header(INCOMPLETE_HEADER, true) : response).build();
    }

    private String array(List<RibRoute> routes, boolean incomplete, List<String> fields) {
        return Json.string(array -> {
            array.writeStartArray();
            for (var route : routes) {
                write(route, incomplete, fields, array);
            }
            array.writeEndArray();
        });
    }

    private String lines(List<RibRoute> routes, boolean incomplete, List<String> fields) {
        return routes.stream()
                .map(route -> Json.string(json -> write(route, incomplete, fields, json)) + "\n")
                .collect(Collectors.joining());
    }

    private static IpPrefix destination(Parameters parameters) {
        boolean hasAddress = parameters.has(ADDRESS);
        if (hasAddress && parameters.has(RouteFilter.PREFIX)) {
            throw ProblemException.parameter(ADDRESS, "address and prefix exclude each other: " + EXAMPLES);
        }
        var name = hasAddress ? ADDRESS : RouteFilter.PREFIX;
        var text = parameters.text(name);
        var destination = parameters.prefix(name);
        if (text == null || destination == null) {
            throw ProblemException.parameter(ADDRESS, "an address or a prefix is required: " + EXAMPLES);
        }
        if (hasAddress && text.indexOf('/') >= 0) {
            throw ProblemException.parameter(ADDRESS, "'" + text + "' is not an address; use ?prefix= for a prefix");
        }
        return destination;
    }

    private void write(RibRoute route, boolean incomplete, List<String> fields, JsonGenerator array)
            throws IOException {
        if (fields.equals(RouteColumns.LOOKUP)) {
            write(route, incomplete, array);
            return;
        }
        var object = (ObjectNode) JSON.readTree(Json.string(json -> write(route, incomplete, json)));
        var kept = new ArrayList<>(fields);
        kept.add(INCOMPLETE);
        array.writeRawValue(object.retain(kept).toString());
    }

    /** Writes a route as an object whose fields are named like the columns of {@code v_rib}. */
    private void write(RibRoute route, boolean incomplete, JsonGenerator object) throws IOException {
        object.writeStartObject();
        object.writeStringField("router", route.peer().router());
        object.writeStringField("peer_address", route.peer().address());
        object.writeNumberField("peer_asn", Integer.toUnsignedLong(route.peerAsn()));
        object.writeStringField("peer_bgp_id", Addresses.ipv4(route.peer().bgpId()));
        object.writeStringField("peer_type", PeerType.text(route.peer().peerType()));
        object.writeStringField("peer_distinguisher", Hex.of(route.peer().distinguisher()));
        object.writeStringField("rib_view", route.view().text());
        object.writeStringField("family", Family.text(route.family()));
        object.writeStringField(
                "prefix",
                Addresses.prefix(route.ipv6(), route.addressHigh(), route.addressLow(), route.prefixLength()));
        if (route.hasPathId()) {
            object.writeNumberField("path_id", Integer.toUnsignedLong(route.pathId()));
        }
        if (route.labelCount() > 0) {
            object.writeArrayFieldStart("labels");
            for (int i = 0; i < route.labelCount(); i++) {
                object.writeNumber(route.label(i));
            }
            object.writeEndArray();
        }
        EventAttributes.writeFields(route.attributes(), object);
        MarkingJson.writeFields(route.marking(), object);
        var validity = validity(route);
        if (validity.isPresent()) {
            object.writeStringField(RouteColumns.VALIDITY, validity.get().text());
        }
        var verdict = verdict(route);
        if (verdict.isPresent()) {
            object.writeStringField(RouteColumns.ASPA, verdict.get().text());
        }
        object.writeBooleanField("stale", route.stale());
        object.writeBooleanField("table_synchronized", route.tableSynchronized());
        if (incomplete) {
            object.writeBooleanField(INCOMPLETE, true);
        }
        object.writeEndObject();
    }

    /** VRPs are about prefixes of the public Internet: the RIB's routes in no VPN, unicast or labelled. */
    private Optional<Validity> validity(RibRoute route) {
        return validation.of(
                new IpPrefix(route.ipv6(), route.addressHigh(), route.addressLow(), route.prefixLength()),
                AsPath.validatedOrigin(route.attributes().asPath(), route.peerAsn()));
    }

    private Optional<AspaVerdict> verdict(RibRoute route) {
        var path = route.attributes().asPath();
        return PathVerification.isReceived(route.view()) && PathVerification.isVerified(route.family())
                ? validation.verify(route.neighborRole(), route.peerAsn(), path == null ? AsPath.EMPTY : path)
                : Optional.empty();
    }
}
