package dev.silkroute.app.web.read;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.Version;
import dev.silkroute.net.Json;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * {@code /birdwatcher/{router}}: what birdwatcher, the API of a BIRD route server, answers to Alice-LG, for each
 * monitored router. {@code docs/how-to/alice-lg.md} describes how protocols and tables map to peers and RIB views. Off
 * by default.
 */
@Path("/birdwatcher/{router}")
@Produces(MediaType.APPLICATION_JSON)
public final class BirdwatcherResource {
    /** The conditions on the family that the names of BIRD's main tables stand for. */
    private static final Map<String, String> TABLES =
            Map.of("master", "", "master4", " and v.afi = 1", "master6", " and v.afi = 2");

    private final Answers answers;
    private final boolean enabled;

    @Inject
    BirdwatcherResource(Answers answers, StationConfig config) {
        this.answers = answers;
        enabled = config.birdwatcher().enabled();
    }

    @GET
    @Path("status")
    public Response status(@PathParam("router") String router) throws SQLException {
        return object(BirdwatcherQueries.status(router), "status");
    }

    @GET
    @Path("protocols/bgp")
    public Response neighbors(@PathParam("router") String router) throws SQLException {
        return object(BirdwatcherQueries.neighbors(router), "protocols");
    }

    @GET
    @Path("protocols/short")
    public Response neighborStates(@PathParam("router") String router) throws SQLException {
        return object(BirdwatcherQueries.neighborStates(router), "protocols");
    }

    @GET
    @Path("routes/protocol/{protocol}")
    public Response accepted(@PathParam("router") String router, @PathParam("protocol") String protocol)
            throws SQLException {
        return routes(BirdwatcherQueries.accepted(router, protocol, ""));
    }

    @GET
    @Path("routes/filtered/{protocol}")
    public Response filtered(@PathParam("router") String router, @PathParam("protocol") String protocol)
            throws SQLException {
        return routes(BirdwatcherQueries.filtered(router, protocol, ""));
    }

    @GET
    @Path("routes/noexport/{protocol}")
    public Response notExported(@PathParam("router") String router, @PathParam("protocol") String protocol)
            throws SQLException {
        return routes(BirdwatcherQueries.notExported(router, protocol));
    }

    @GET
    @Path("routes/table/{table}")
    public Response acceptedOfAll(@PathParam("router") String router, @PathParam("table") String table)
            throws SQLException {
        return routes(BirdwatcherQueries.accepted(router, null, family(table)));
    }

    @GET
    @Path("routes/table/{table}/filtered")
    public Response filteredOfAll(@PathParam("router") String router, @PathParam("table") String table)
            throws SQLException {
        return routes(BirdwatcherQueries.filtered(router, null, family(table)));
    }

    private static String family(String table) {
        var condition = TABLES.get(table);
        if (condition == null) {
            throw new NotFoundException("The tables are master, master4 and master6");
        }
        return condition;
    }

    private Response object(SqlQuery query, String member) throws SQLException {
        requireEnabled();
        var object = answers.one(query);
        if (object == null) {
            throw new NotFoundException("No such router");
        }
        return Response.ok(start() + "\"" + member + "\":" + object + "}").build();
    }

    private Response routes(SqlQuery query) throws SQLException {
        requireEnabled();
        return answers.member(query, start() + "\"routes\":[");
    }

    private void requireEnabled() {
        if (!enabled) {
            throw new NotFoundException("silkroute.birdwatcher.enabled is false");
        }
    }

    /** Returns the members that every answer begins with. An answer is never older than its request. */
    private static String start() {
        var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        var members = Json.string(json -> {
            json.writeStartObject();
            json.writeObjectFieldStart("api");
            json.writeStringField("Version", "silkroute " + Version.text());
            json.writeBooleanField("result_from_cache", false);
            json.writeObjectFieldStart("cache_status");
            json.writeObjectFieldStart("cached_at");
            json.writeStringField("date", now);
            json.writeEndObject();
            json.writeEndObject();
            json.writeEndObject();
            json.writeStringField("ttl", now);
            json.writeEndObject();
        });
        return members.substring(0, members.length() - 1) + ",";
    }
}
