package dev.silkroute.app.routes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which steps of one change of the routes directory can be carried out. Route ids are compared as they are
 * after all steps, so that a route may move from one file to another, whatever their names. A step is rejected if it
 * uses an id that another file keeps, or if it would end a route that a rejected file contains: the route was moved
 * there, and that file has an error.
 */
final class RoutePlan {
    private final Map<String, Running> running;
    private final Map<String, RouteStep> steps = new TreeMap<>();
    private final List<RouteFile> rejectedFiles;
    private final Map<RouteStep, RouteRejection> rejected = new LinkedHashMap<>();

    /**
     * @param running the loaded files, by name
     * @param steps of the changed files that could be rehearsed
     * @param rejectedFiles the changed files that could not
     */
    RoutePlan(Map<String, Running> running, Collection<RouteStep> steps, Collection<RouteFile> rejectedFiles) {
        this.running = running;
        this.rejectedFiles = new ArrayList<>(rejectedFiles);
        steps.forEach(step -> this.steps.put(step.name(), step));
        while (rejectOne()) {
            // the routes that a rejected step keeps may conflict with those of other steps
        }
    }

    /**
     * Returns the steps to carry out. Those of one list have routes in common and are carried out together or not at
     * all.
     */
    List<List<RouteStep>> groups() {
        var groups = new ArrayList<List<RouteStep>>();
        for (var step : steps.values()) {
            var joined = new ArrayList<RouteStep>();
            groups.removeIf(group -> group.stream().anyMatch(step::sharesRoutesWith) && joined.addAll(group));
            joined.add(step);
            groups.add(joined);
        }
        return groups;
    }

    Map<RouteStep, RouteRejection> rejected() {
        return rejected;
    }

    private boolean rejectOne() {
        for (var step : steps.values()) {
            var reason = reasonAgainst(step);
            if (reason != null) {
                steps.remove(step.name());
                rejected.put(step, new RouteRejection(new RouteProblem(step.shown(), 0, reason)));
                if (step.next() != null) {
                    rejectedFiles.add(step.next().file());
                }
                return true;
            }
        }
        return false;
    }

    private @Nullable String reasonAgainst(RouteStep step) {
        for (var id : step.after()) {
            var owner = owner(id, step);
            if (owner != null) {
                return "the route id " + id + " is taken by " + owner.file().shown();
            }
        }
        for (var id : step.dropped()) {
            for (var file : rejectedFiles) {
                if (file.declares(id)) {
                    return "the route " + id + " would end, because " + file.shown()
                            + ", which has it too, is rejected";
                }
            }
        }
        return null;
    }

    /**
     * Returns the other file that has precedence for an id after all steps: the one that has it already, else by
     * name.
     */
    private @Nullable Running owner(String id, RouteStep step) {
        for (var other : running.values()) {
            if (!steps.containsKey(other.file().name())
                    && !other.file().name().equals(step.name())
                    && other.ids().contains(id)) {
                return other;
            }
        }
        for (var other : steps.values()) {
            boolean first = other.before().contains(id)
                    || (!step.before().contains(id) && other.name().compareTo(step.name()) < 0);
            if (other != step && first && other.after().contains(id)) {
                return other.next();
            }
        }
        return null;
    }
}
