package dev.silkroute.app.routes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which of the steps of one change of the routes directory can be gone. A route id is judged by what runs when all of
 * them are done, so that a route may move from one file to another, whatever their names. A step is refused that takes an
 * id which another file keeps, and so is one that would end a route which a refused file has: with that file mended, it
 * would have moved there.
 */
final class RoutePlan {
    private final Map<String, Running> running;
    private final Map<String, RouteStep> steps = new TreeMap<>();
    private final List<RouteFile> refusedFiles;
    private final Map<RouteStep, RouteRefusal> refused = new LinkedHashMap<>();

    /**
     * @param running what runs, by file name
     * @param steps of the files that change, as far as they could be rehearsed
     * @param refusedFiles those that could not
     */
    RoutePlan(Map<String, Running> running, Collection<RouteStep> steps, Collection<RouteFile> refusedFiles) {
        this.running = running;
        this.refusedFiles = new ArrayList<>(refusedFiles);
        steps.forEach(step -> this.steps.put(step.name(), step));
        while (refuseOne()) {
            // what a refused step leaves in force can be in the way of others
        }
    }

    /** The steps to go; those of one list share routes, and are gone together or not at all. */
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

    Map<RouteStep, RouteRefusal> refused() {
        return refused;
    }

    private boolean refuseOne() {
        for (var step : steps.values()) {
            var reason = reasonAgainst(step);
            if (reason != null) {
                steps.remove(step.name());
                refused.put(step, new RouteRefusal(new RouteProblem(step.shown(), 0, reason)));
                if (step.next() != null) {
                    refusedFiles.add(step.next().file());
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
            for (var file : refusedFiles) {
                if (file.declares(id)) {
                    return "the route " + id + " would end, because " + file.shown() + ", which has it too, is refused";
                }
            }
        }
        return null;
    }

    /** Who has the id when all is done, and before this step's file: by having it already, else by its name. */
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
