package dev.silkroute.app.web.read;

import dev.silkroute.app.reconcile.Comparisons;
import dev.silkroute.app.reconcile.DigestJson;
import dev.silkroute.digest.DigestKey;
import dev.silkroute.digest.RouteHasher;
import dev.silkroute.digest.Sketch;
import dev.silkroute.digest.TableSource;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** {@code /api/v1/rib/digest} and {@code /rib/digest/routes}: what a twin station reads of this station's RIB. */
@Path("/api/v1/rib/digest")
@Produces(MediaType.APPLICATION_JSON)
public final class DigestResource {
    private static final String KEY = "key";
    private static final String CELLS = "cells";
    private static final String ROUTES = "routes";

    private final Answers answers;
    private final Comparisons comparisons;

    @Inject
    DigestResource(Answers answers, Comparisons comparisons) {
        this.answers = answers;
        this.comparisons = comparisons;
    }

    @GET
    public String digests() throws SQLException {
        var parameters = answers.parameters(with(KEY, CELLS));
        var selection = TableParameters.selection(parameters);
        var key = parameters.has(KEY) ? key(parameters) : DigestKey.random();
        int cells = cells(parameters);
        var digests = TableParameters.read(() -> comparisons.digests(selection, key, cells));
        return DigestJson.text(digests, new RouteHasher(key));
    }

    @GET
    @Path("routes")
    public String routes() throws SQLException {
        var parameters = answers.parameters(with(KEY, ROUTES));
        parameters.required(KEY, parameters.text(KEY));
        parameters.required(ROUTES, parameters.text(ROUTES));
        var selection = TableParameters.selection(parameters);
        parameters.required(TableParameters.TABLE, parameters.text(TableParameters.TABLE));
        var keys = TableParameters.hashes(parameters, ROUTES, TableSource.MAX_ROUTES);
        var key = key(parameters);
        return DigestJson.text(TableParameters.read(() -> comparisons.routes(selection, key, keys)));
    }

    private static List<String> with(String... names) {
        var all = new ArrayList<>(TableParameters.NAMES);
        all.add(TableParameters.TABLE);
        all.addAll(List.of(names));
        return all;
    }

    private static DigestKey key(Parameters parameters) {
        try {
            return DigestKey.parse(String.valueOf(parameters.text(KEY)));
        } catch (IllegalArgumentException e) {
            throw Parameters.invalid(KEY, String.valueOf(e.getMessage()));
        }
    }

    private static int cells(Parameters parameters) {
        int cells = (int) parameters.number(CELLS, 0, 0, Sketch.MAX_CELLS);
        try {
            return cells == 0 ? 0 : new Sketch(cells).cells();
        } catch (IllegalArgumentException e) {
            throw Parameters.invalid(CELLS, String.valueOf(e.getMessage()));
        }
    }
}
