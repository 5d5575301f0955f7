package dev.silkroute.app.routes;

/** A route file is rejected. The message contains the file, the line and the reason. */
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
