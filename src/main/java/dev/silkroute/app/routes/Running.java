package dev.silkroute.app.routes;

import java.util.List;

/** A loaded or rehearsed file, and the ids of its routes. */
record Running(RouteFile file, List<String> ids) {}
