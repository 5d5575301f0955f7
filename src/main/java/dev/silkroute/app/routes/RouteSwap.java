package dev.silkroute.app.routes;

import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.support.PluginHelper;
import org.jspecify.annotations.Nullable;

/** Exchanges the routes of files in a running context. */
final class RouteSwap {
    private final CamelContext context;

    /** The file that couldn't be exchanged. */
    record Failure(RouteStep step, RouteRefusal refusal) {}

    RouteSwap(CamelContext context) {
        this.context = context;
    }

    /** All of these steps, or none: where one can't be gone, the files before them are put back where they still can be. */
    @Nullable
    Failure carryOut(List<RouteStep> steps) {
        var failure = go(steps);
        if (failure == null) {
            return null;
        }
        var back = go(steps.stream().map(RouteStep::undone).toList());
        return back == null ? failure : back;
    }

    /**
     * Stops what the files no longer have, then puts their routes in the place of those of the same ids. A route that
     * moves is stopped before any file is loaded: what listens for it is free then. The first failure, which doesn't keep
     * the other files from being loaded.
     */
    private @Nullable Failure go(List<RouteStep> steps) {
        Failure first = null;
        for (var step : steps) {
            var failure = remove(step);
            first = first == null ? failure : first;
        }
        for (var step : steps) {
            var failure = load(step);
            first = first == null ? failure : first;
        }
        return first;
    }

    private @Nullable Failure remove(RouteStep step) {
        try {
            for (var id : step.dropped()) {
                context.getRouteController().stopRoute(id);
                context.removeRoute(id);
            }
            return null;
        } catch (Exception e) {
            return failure(step, e);
        }
    }

    private @Nullable Failure load(RouteStep step) {
        try {
            if (step.next() != null) {
                PluginHelper.getRoutesLoader(context)
                        .updateRoutes(List.of(step.next().file().resource()));
            }
            return null;
        } catch (Exception e) {
            return failure(step, e);
        }
    }

    private Failure failure(RouteStep step, Exception e) {
        return new Failure(step, new RouteRefusal(RouteProblem.of(e, context, step.shown()), e));
    }
}
