package dev.silkroute.app.routes;

import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.support.PluginHelper;
import org.jspecify.annotations.Nullable;

/** Replaces the routes of files in a running context. */
final class RouteSwap {
    private final CamelContext context;

    /** A step that failed, and why. */
    record Failure(RouteStep step, RouteRejection rejection) {}

    RouteSwap(CamelContext context) {
        this.context = context;
    }

    /** Carries out all steps or, as far as possible, none: if one fails, the previous files are restored. */
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
     * Stops the routes that files no longer have, then loads the files, whose routes replace those of the same ids. A
     * route that moves is stopped before any file is loaded, so that its port is free. A failure does not keep the
     * other files from being loaded.
     *
     * @return the first failure
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
        return new Failure(step, new RouteRejection(RouteProblem.of(e, context, step.shown()), e));
    }
}
