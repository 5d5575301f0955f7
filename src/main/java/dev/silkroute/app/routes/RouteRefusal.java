package dev.silkroute.app.routes;

/** A file of routes is not taken. Its message says why, with file and line. */
final class RouteRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    RouteRefusal(String text) {
        super(text);
    }

    RouteRefusal(RouteProblem problem) {
        this(problem.text());
    }

    RouteRefusal(RouteProblem problem, Throwable cause) {
        super(problem.text(), cause);
    }
}
