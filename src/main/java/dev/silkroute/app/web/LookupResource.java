package dev.silkroute.app.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.app.config.Role;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.Origin;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.component.rib.RibNotReady;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.rib.RibRoute;
import jakarta.inject.Inject;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.ProducerTemplate;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/v1/lookup?address=} and {@code ?prefix=}: for each peer and RIB view, the routes with the longest
 * prefix that matches an address or covers a prefix, from the RIB in memory.
 */
@Path("/api/v1/lookup")
@Produces(MediaType.APPLICATION_JSON)
public final class LookupResource {
    private static final String EXAMPLES = "use ?address=192.0.2.1 or ?prefix=192.0.2.0/24";

    private final ProducerTemplate producer;
    private final ObjectMapper json;
    private final boolean hasRib;

    @Inject
    LookupResource(
            ProducerTemplate producer, ObjectMapper json, @ConfigProperty(name = "silkroute.roles") String roles) {
        this.producer = producer;
        this.json = json;
        hasRib = Role.parse(roles).contains(Role.RIB);
    }

    @GET
    public Response lookup(
            @QueryParam("address") @Nullable String address,
            @QueryParam("prefix") @Nullable String prefix,
            @Context UriInfo uri)
            throws IOException {
        if (!hasRib) {
            return Problem.response(
                    Response.Status.SERVICE_UNAVAILABLE, "This station does not have the role rib", uri.getPath());
        }
        String destination = destination(address, prefix);
        List<?> found;
        try {
            found = producer.requestBody("rib:lookup?rib=#rib&offsets=#ribFeed", destination, List.class);
        } catch (CamelExecutionException e) {
            if (e.getCause() instanceof RibNotReady notReady) {
                return Problem.retryLater(String.valueOf(notReady.getMessage()), uri.getPath());
            }
            throw e;
        }
        var array = json.createArrayNode();
        for (Object route : found) {
            array.add(object((RibRoute) route));
        }
        return Response.ok(json.writeValueAsString(array)).build();
    }

    /** Returns the address or prefix of the query, as text that is known to be valid. */
    private static String destination(@Nullable String address, @Nullable String prefix) {
        boolean hasAddress = address != null && !address.isBlank();
        boolean hasPrefix = prefix != null && !prefix.isBlank();
        if (hasAddress && hasPrefix) {
            throw new BadRequestException("address and prefix exclude each other: " + EXAMPLES);
        }
        String text = hasAddress ? address : hasPrefix ? prefix : null;
        if (text == null) {
            throw new BadRequestException("an address or a prefix is required: " + EXAMPLES);
        }
        if (hasAddress && text.indexOf('/') >= 0) {
            throw new BadRequestException("'" + text.strip() + "' is not an address; use ?prefix= for a prefix");
        }
        try {
            IpPrefix.parse(text.strip());
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(String.valueOf(e.getMessage()), e);
        }
        return text.strip();
    }

    /** Returns a route as an object whose fields are named like the columns of {@code v_rib}. */
    private ObjectNode object(RibRoute route) throws IOException {
        ObjectNode object = json.createObjectNode();
        PathAttributes attributes = route.attributes();
        object.put("router", route.peer().router());
        object.put("peer_address", route.peer().address());
        object.put("peer_asn", Integer.toUnsignedLong(route.peerAsn()));
        object.put("rib_view", route.view().text());
        object.put("family", Family.text(route.family()));
        boolean ipv6 = Family.afi(route.family()) == Family.AFI_IPV6;
        object.put("prefix", Addresses.prefix(ipv6, route.addressHigh(), route.addressLow(), route.prefixLength()));
        if (route.hasPathId()) {
            object.put("path_id", Integer.toUnsignedLong(route.pathId()));
        }
        NextHop nextHop = attributes.nextHop();
        if (nextHop != null) {
            object.put("next_hop", nextHop.text());
        }
        Origin origin = attributes.origin();
        if (origin != null) {
            object.put("origin", origin.name().toLowerCase(Locale.ROOT));
        }
        AsPath asPath = attributes.asPath();
        if (asPath != null) {
            object.put("as_path", asPath.text());
            asPath.originAsn().ifPresent(asn -> object.put("origin_asn", asn));
        }
        attributes.med().ifPresent(med -> object.put("med", med));
        attributes.localPref().ifPresent(preference -> object.put("local_pref", preference));
        object.set("communities", json.valueToTree(attributes.communities()));
        object.set("large_communities", json.valueToTree(attributes.largeCommunities()));
        object.set("ext_communities", json.valueToTree(attributes.extendedCommunities()));
        if (route.labelCount() > 0) {
            var labels = object.putArray("labels");
            for (int i = 0; i < route.labelCount(); i++) {
                labels.add(route.label(i));
            }
        }
        object.set("attributes", json.readTree(attributes.toJson()));
        object.put("stale", route.stale());
        return object;
    }
}
