package dev.silkroute.app.routes;

import java.util.List;

/** A file in force, or about to be, and the ids of its routes. */
record Running(RouteFile file, List<String> ids) {}
