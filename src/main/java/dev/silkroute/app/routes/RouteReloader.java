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
 * Exchanges the routes of a running station when the files of its routes directory change; other files' routes are not
 * touched. A file is rehearsed first and refused with one log line where it can't work, and the file before it is put
 * back where it still can't be started. One that is deleted gives way to the packaged one, or ends. A route may move from
 * one file to another in one change.
 *
 * <p>The directory is looked at twice a second and acted on when it has come to rest, which also works where changes
 * aren't notified: mounted folders, and configuration maps that are exchanged by a symbolic link. All work is done by one thread.
 */
@ManagedResource(description = "Live exchange of the routes directory")
public final class RouteReloader extends ResourceReloadStrategySupport {
    private static final Logger LOGGER = Logger.getLogger(RouteReloader.class);
    private static final long LOOK_MILLIS = 500;

    private final RouteFiles files;
    private final Rehearsal rehearsal;
    private final RouteSwap swap;
    private final Map<String, Running> running = new HashMap<>();
    /** Why a file was refused last, by name: it is tried again with every change, but told once. */
    private final Map<String, String> refusals = new HashMap<>();

    private RouteFiles.Reading reading = new RouteFiles.Reading(Map.of(), Map.of());
    /** Why the directory can't be looked at, which is told once. */
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

    /** The files that the context is to be started with, as a pattern of locations for Camel. */
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

    /** To be called once the context has started with those files. */
    public void adopt() {
        running.replaceAll((name, now) -> {
            try {
                return new Running(now.file(), Rehearsal.ids(now.file(), getCamelContext()));
            } catch (RouteRefusal e) {
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
            LOGGER.infof("Edits in %s are taken up while the station runs", files.directory());
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
            // What makes a file readable again, its mode say, need not change its marks
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
                LOGGER.warnf("Routes are left as they are: %s", reason);
            }
            trouble = reason;
        }
    }

    private void exchange() {
        var wanted = reading.files();
        var names = new TreeSet<>(wanted.keySet());
        names.addAll(running.keySet());
        names.addAll(reading.unreadable().keySet());
        refusals.keySet().retainAll(names);
        var steps = new ArrayList<RouteStep>();
        var refused = new ArrayList<RouteFile>();
        for (var name : names) {
            var now = running.get(name);
            var file = wanted.get(name);
            var unreadable = reading.unreadable().get(name);
            if (unreadable != null) {
                tell(name, now, new RouteRefusal(unreadable));
                continue;
            }
            if (now != null && now.file().equals(file)) {
                refusals.remove(name);
                continue;
            }
            if (file == null) {
                steps.add(new RouteStep(name, now, null));
                continue;
            }
            try {
                steps.add(new RouteStep(name, now, new Running(file, rehearsal.of(file))));
            } catch (RouteRefusal e) {
                refused.add(file);
                tell(name, now, e);
            }
        }
        var plan = new RoutePlan(running, steps, refused);
        plan.refused().forEach(this::tell);
        plan.groups().forEach(this::carryOut);
    }

    /** What runs in the end is what the plan says; steps that can't be gone are told and leave all as it is. */
    private void carryOut(List<RouteStep> group) {
        var failure = swap.carryOut(group);
        for (var step : group) {
            if (failure == null) {
                settle(step, group);
            } else if (failure.step().name().equals(step.name())) {
                tell(step, failure.refusal());
            } else {
                var reason = "it changes together with " + failure.step().shown() + ", which is refused";
                tell(step, new RouteRefusal(new RouteProblem(step.shown(), 0, reason)));
            }
        }
    }

    private void settle(RouteStep step, List<RouteStep> group) {
        refusals.remove(step.name());
        incSucceededCounter();
        if (step.next() != null) {
            running.put(step.name(), step.next());
            LOGGER.infof("%s is in force: routes %s", step.shown(), String.join(", ", step.after()));
        } else {
            running.remove(step.name());
            var stopped = step.dropped();
            group.forEach(other -> stopped.removeAll(other.after()));
            LOGGER.infof(
                    "%s is gone: %s",
                    step.shown(),
                    stopped.isEmpty()
                            ? "its routes are in other files"
                            : "routes stopped: " + String.join(", ", stopped));
        }
    }

    private void tell(RouteStep step, RouteRefusal refusal) {
        tell(step.name(), step.now(), refusal);
    }

    private void tell(String name, @Nullable Running now, RouteRefusal refusal) {
        incFailedCounter();
        setLastError(refusal);
        var reason = String.valueOf(refusal.getMessage());
        if (!reason.equals(refusals.put(name, reason))) {
            var kept = now == null
                    ? "nothing was changed"
                    : "the routes of " + now.file().shown() + " keep running";
            LOGGER.warnf("Refused, %s: %s", kept, reason);
        }
    }
}
