package dev.silkroute.app.routes;

/** A route file is rejected. The message contains the file, the line and the reason. */
final class RouteRejection extends Exception {
    private static final long serialVersionUID = 1L;

    RouteRejection(String text) {
        super(text);
    }

    RouteRejection(RouteProblem problem) {
        this(problem.text());
    }

    RouteRejection(RouteProblem problem, Throwable cause) {
        super(problem.text(), cause);
    }
}
