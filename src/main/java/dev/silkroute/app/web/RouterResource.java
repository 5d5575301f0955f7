package dev.silkroute.app.web;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;

/** {@code /api/v1/routers} and {@code /api/v1/peers}: the views {@code v_routers} and {@code v_peers}. */
@Path("/api/v1")
@Produces(MediaType.APPLICATION_JSON)
public final class RouterResource {
    private final Rows rows;

    @Inject
    RouterResource(Rows rows) {
        this.rows = rows;
    }

    @GET
    @Path("routers")
    public String routers() throws SQLException {
        return rows.array("select * from bmp.v_routers order by router");
    }

    @GET
    @Path("peers")
    public String peers() throws SQLException {
        return rows.array("select * from bmp.v_peers order by router, peer_address, peer_distinguisher, rib_view");
    }
}
