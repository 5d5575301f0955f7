package dev.silkroute.app.web.read;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.names.ConfiguredNames;
import dev.silkroute.app.web.ProblemException;
import dev.silkroute.app.web.ProblemType;
import dev.silkroute.names.AsNames;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.Json;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code /api/v1/resolve}: the addresses of a DNS name; {@code /community-names}: the names of communities; {@code
 * /as-names}: those of autonomous systems.
 */
@Path("/api/v1")
@Produces(MediaType.APPLICATION_JSON)
public final class NameResource {
    /** At least two labels, of which the last is not a number: neither an address nor a name of the local network. */
    private static final Pattern NAME =
            Pattern.compile("(?=.{1,253}\\.?$)([A-Za-z0-9_]([A-Za-z0-9_-]{0,62})\\.)+[A-Za-z][A-Za-z0-9-]{0,62}\\.?");

    private static final int MAX_ADDRESSES = 100;

    /** The operating system's resolver may take many seconds when its servers do not answer. */
    private static final int MAX_RESOLUTIONS = 4;

    private final UriInfo uri;
    private final Optional<java.nio.file.Path> communityNames;
    private final Supplier<AsNames> asNames;
    private final Resolver resolver;
    private final Semaphore resolutions = new Semaphore(MAX_RESOLUTIONS);

    @Inject
    NameResource(UriInfo uri, StationConfig config, ConfiguredNames names) {
        this(uri, config.http().communityNames(), names::asNames, InetAddress::getAllByName);
    }

    NameResource(
            UriInfo uri, Optional<java.nio.file.Path> communityNames, Supplier<AsNames> asNames, Resolver resolver) {
        this.uri = uri;
        this.asNames = asNames;
        this.communityNames = communityNames;
        this.resolver = resolver;
    }

    /** Resolves DNS names. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] resolve(String name) throws UnknownHostException;
    }

    @GET
    @Path("resolve")
    public Response resolve() {
        var parameters = new Parameters(uri.getQueryParameters(), List.of("name"));
        var name = parameters.required("name", parameters.text("name"));
        if (!NAME.matcher(name).matches()) {
            throw Parameters.invalid("name", "must be a DNS name such as www.example.net, not '" + name + "'");
        }
        if (!resolutions.tryAcquire()) {
            throw new ProblemException(ProblemType.RETRY_LATER, "Too many names are being resolved; retry later");
        }
        try {
            return Response.ok(Json.string(json -> {
                        json.writeStartObject();
                        json.writeStringField("name", name);
                        json.writeArrayFieldStart("addresses");
                        for (var address : addresses(name)) {
                            json.writeString(address);
                        }
                        json.writeEndArray();
                        json.writeEndObject();
                    }))
                    .build();
        } finally {
            resolutions.release();
        }
    }

    private List<String> addresses(String name) {
        try {
            return Stream.of(resolver.resolve(name))
                    .map(address -> IpPrefix.parse(address.getHostAddress()).toString())
                    .map(address -> address.substring(0, address.indexOf('/')))
                    .distinct()
                    .limit(MAX_ADDRESSES)
                    .toList();
        } catch (UnknownHostException e) {
            return List.of();
        }
    }

    @GET
    @Path("community-names")
    public Response communityNames() {
        new Parameters(uri.getQueryParameters(), List.of());
        return Response.ok(communityNames.isEmpty() ? "[]" : CommunityNames.json(communityNames.get()))
                .build();
    }

    @GET
    @Path("as-names")
    public Response asNames() {
        var parameters = new Parameters(uri.getQueryParameters(), List.of("asn"));
        var asns = parameters.asns("asn");
        var known = asNames.get();
        return Response.ok(Json.string(json -> {
                    json.writeStartArray();
                    for (long asn : asns) {
                        var name = known.of(asn);
                        if (name.isPresent()) {
                            json.writeStartObject();
                            json.writeNumberField("asn", asn);
                            json.writeStringField("name", name.get());
                            json.writeEndObject();
                        }
                    }
                    json.writeEndArray();
                }))
                .build();
    }
}
