package dev.silkroute.app.routes;

import dev.silkroute.app.config.OperatorError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.api.management.ManagedResource;
import org.apache.camel.support.ResourceReloadStrategySupport;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reloads the routes of a running station when files of its routes directory change; routes of other files are not
 * touched. A changed file is first rehearsed ({@link Rehearsal}), and rejected with one log line if its routes cannot
 * be built. If they cannot be started, the previous file is restored. A deleted file is replaced by the packaged one
 * of its name, if there is one. A route may move from one file to another in one change.
 *
 * <p>The directory is polled twice a second, and changes are applied when two polls see the same files. Polling also
 * works where the file system does not notify of changes: network mounts, and config maps that are replaced by a
 * symbolic link. One thread does all the work.
 */
@ManagedResource(description = "Live exchange of the routes directory")
public final class RouteReloader extends ResourceReloadStrategySupport {
    private static final Logger LOGGER = Logger.getLogger(RouteReloader.class);
    private static final long LOOK_MILLIS = 500;

    private final RouteFiles files;
    private final Rehearsal rehearsal;
    private final RouteSwap swap;
    private final Map<String, Running> running = new HashMap<>();
    /** The reason of the last rejection, by file name: a file is tried again with every change, but logged once. */
    private final Map<String, String> rejections = new HashMap<>();

    private RouteFiles.Reading reading = new RouteFiles.Reading(Map.of(), Map.of());
    /** The reason for which the directory could not be read, which is logged once. */
    private @Nullable String trouble;

    private List<String> handled = List.of();
    private List<String> seen = List.of();
    private @Nullable ScheduledExecutorService executor;

    public RouteReloader(CamelContext context, Config config, RouteFiles files) {
        setCamelContext(context);
        this.files = files;
        this.rehearsal = new Rehearsal(context, config);
        this.swap = new RouteSwap(context);
    }

    /** Returns the locations of the files to start the context with, as a pattern for Camel. */
    public String includePattern() {
        handled = files.marks();
        seen = handled;
        reading = files.readAll();
        reading.files().forEach((name, file) -> running.put(name, new Running(file, List.of())));
        return running.isEmpty()
                ? "false"
                : String.join(
                        ",",
                        running.values().stream()
                                .map(now -> now.file().location())
                                .sorted()
                                .toList());
    }

    /** Records which routes each of these files has; called once the context has started. */
    public void adopt() {
        running.replaceAll((name, now) -> {
            try {
                return new Running(now.file(), Rehearsal.ids(now.file(), getCamelContext()));
            } catch (RouteRejection e) {
                throw new OperatorError(String.valueOf(e.getMessage()), e);
            }
        });
    }

    @Override
    public void onReload(Object source) {
        look();
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        if (files.directory() != null) {
            var looking =
                    getCamelContext().getExecutorServiceManager().newSingleThreadScheduledExecutor(this, "routes-dir");
            looking.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
            executor = looking;
            LOGGER.infof("Route files in %s are reloaded when they change", files.directory());
        }
    }

    @Override
    protected void doStop() throws Exception {
        super.doStop();
        if (executor != null) {
            getCamelContext().getExecutorServiceManager().shutdownNow(executor);
            executor = null;
        }
    }

    private synchronized void look() {
        try {
            var marks = files.marks();
            boolean atRest = marks.equals(seen);
            seen = marks;
            boolean changed = !marks.equals(handled);
            // A file may become readable, for example by chmod, without a change of its marks
            if (atRest && (changed || !reading.unreadable().isEmpty())) {
                var found = files.read();
                handled = marks;
                if (changed || !found.equals(reading)) {
                    reading = found;
                    exchange();
                }
            }
            trouble = null;
        } catch (RuntimeException e) {
            incFailedCounter();
            setLastError(e);
            var reason = OperatorError.reason(e);
            if (!reason.equals(trouble)) {
                LOGGER.warnf("The routes directory could not be read, routes are unchanged: %s", reason);
            }
            trouble = reason;
        }
    }

    private void exchange() {
        var wanted = reading.files();
        var names = new TreeSet<>(wanted.keySet());
        names.addAll(running.keySet());
        names.addAll(reading.unreadable().keySet());
        rejections.keySet().retainAll(names);
        var steps = new ArrayList<RouteStep>();
        var rejected = new ArrayList<RouteFile>();
        for (var name : names) {
            var now = running.get(name);
            var file = wanted.get(name);
            var unreadable = reading.unreadable().get(name);
            if (unreadable != null) {
                reject(name, now, new RouteRejection(unreadable));
                continue;
            }
            if (now != null && now.file().equals(file)) {
                if (rejections.remove(name) != null) {
                    LOGGER.infof(
                            "%s is again as it was loaded; its routes keep running",
                            now.file().shown());
                }
                continue;
            }
            if (file == null) {
                steps.add(new RouteStep(name, now, null));
                continue;
            }
            try {
                steps.add(new RouteStep(name, now, new Running(file, rehearsal.of(file))));
            } catch (RouteRejection e) {
                rejected.add(file);
                reject(name, now, e);
            }
        }
        var plan = new RoutePlan(running, steps, rejected);
        plan.rejected().forEach(this::reject);
        plan.groups().forEach(this::carryOut);
    }

    /** Applies the steps of a group together; if one fails, all are logged as rejected and nothing is changed. */
    private void carryOut(List<RouteStep> group) {
        var failure = swap.carryOut(group);
        for (var step : group) {
            if (failure == null) {
                settle(step, group);
            } else if (failure.step().name().equals(step.name())) {
                reject(step, failure.rejection());
            } else {
                var reason = "it changes together with " + failure.step().shown() + ", which is rejected";
                reject(step, new RouteRejection(new RouteProblem(step.shown(), 0, reason)));
            }
        }
    }

    private void settle(RouteStep step, List<RouteStep> group) {
        rejections.remove(step.name());
        incSucceededCounter();
        if (step.next() != null) {
            running.put(step.name(), step.next());
            LOGGER.infof("Loaded %s: routes %s", step.shown(), String.join(", ", step.after()));
        } else {
            running.remove(step.name());
            var stopped = step.dropped();
            group.forEach(other -> stopped.removeAll(other.after()));
            LOGGER.infof(
                    "Removed %s: %s",
                    step.shown(),
                    stopped.isEmpty()
                            ? "other files have its routes"
                            : "routes stopped: " + String.join(", ", stopped));
        }
    }

    private void reject(RouteStep step, RouteRejection rejection) {
        reject(step.name(), step.now(), rejection);
    }

    private void reject(String name, @Nullable Running now, RouteRejection rejection) {
        incFailedCounter();
        setLastError(rejection);
        var reason = String.valueOf(rejection.getMessage());
        if (!reason.equals(rejections.put(name, reason))) {
            var kept = now == null
                    ? "nothing was changed"
                    : "the routes of " + now.file().shown() + " keep running";
            LOGGER.warnf("Rejected, %s: %s", kept, reason);
        }
    }
}
