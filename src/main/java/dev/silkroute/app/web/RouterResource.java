package dev.silkroute.app.web;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;

/** {@code /api/v1/routers} and {@code /api/v1/peers}: the rows of the views {@code v_routers} and {@code v_peers}. */
@Path("/api/v1")
@Produces(MediaType.APPLICATION_JSON)
public final class RouterResource {
    private final JsonQueries database;

    @Inject
    RouterResource(JsonQueries database) {
        this.database = database;
    }

    @GET
    @Path("routers")
    public String routers() throws SQLException {
        return database.array("select * from bmp.v_routers order by router");
    }

    @GET
    @Path("peers")
    public String peers() throws SQLException {
        return database.array("select * from bmp.v_peers order by router, peer_address, peer_distinguisher, rib_view");
    }
}
