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
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceReloadStrategySupport;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges the routes of a running station when the files of its routes directory change; other files' routes are not
 * touched. A file is rehearsed first and refused with one log line where it can't work, and the file before it is put
 * back where it still can't be started. One that is deleted gives way to the packaged one, or ends.
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
    private final Map<String, Running> running = new HashMap<>();
    /** Why a file was refused last, by name: it is tried again with every change, but told once. */
    private final Map<String, String> refusals = new HashMap<>();

    private List<String> handled = List.of();
    private List<String> seen = List.of();
    private @Nullable ScheduledExecutorService executor;

    /** A file in force and the ids of its routes. */
    private record Running(RouteFile file, List<String> ids) {}

    public RouteReloader(CamelContext context, Config config, RouteFiles files) {
        setCamelContext(context);
        this.files = files;
        this.rehearsal = new Rehearsal(context, config);
    }

    /** The files that the context is to be started with, as a pattern of locations for Camel. */
    public String includePattern() {
        handled = files.marks();
        seen = handled;
        files.read().forEach((name, file) -> running.put(name, new Running(file, List.of())));
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
            if (atRest && !marks.equals(handled)) {
                handled = marks;
                exchange(files.read());
            }
        } catch (RuntimeException e) {
            incFailedCounter();
            setLastError(e);
            LOGGER.warnf("Routes are left as they are: %s", OperatorError.reason(e));
        }
    }

    private void exchange(Map<String, RouteFile> wanted) {
        var names = new TreeSet<>(wanted.keySet());
        names.addAll(running.keySet());
        for (var name : names) {
            var now = running.get(name);
            var file = wanted.get(name);
            if (now != null && now.file().equals(file)) {
                continue;
            }
            try {
                if (file == null) {
                    end(name);
                } else {
                    replace(now, file);
                }
                refusals.remove(name);
                incSucceededCounter();
            } catch (RouteRefusal e) {
                tell(name, now, e);
            }
        }
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

    private void end(String name) throws RouteRefusal {
        var now = running.remove(name);
        if (now != null) {
            remove(now, now.ids());
            LOGGER.infof("%s is gone: routes stopped: %s", now.file().shown(), String.join(", ", now.ids()));
        }
    }

    private void replace(@Nullable Running now, RouteFile file) throws RouteRefusal {
        var next = new Running(file, rehearsal.of(file));
        checkOwners(next);
        try {
            swap(now, next);
        } catch (RouteRefusal e) {
            if (now != null) {
                swap(next, now);
            } else {
                remove(next, next.ids());
            }
            throw e;
        }
        running.put(file.name(), next);
        LOGGER.infof("%s is in force: routes %s", file.shown(), String.join(", ", next.ids()));
    }

    private void checkOwners(Running next) throws RouteRefusal {
        for (var other : running.values()) {
            for (var id : next.ids()) {
                if (!other.file().name().equals(next.file().name())
                        && other.ids().contains(id)) {
                    throw new RouteRefusal(new RouteProblem(
                            next.file().shown(),
                            0,
                            "the route id " + id + " is taken by "
                                    + other.file().shown()));
                }
            }
        }
    }

    /** Stops what the next file no longer has, then puts its routes in the place of those of the same ids. */
    private void swap(@Nullable Running now, Running next) throws RouteRefusal {
        if (now != null) {
            var gone = new ArrayList<>(now.ids());
            gone.removeAll(next.ids());
            remove(now, gone);
        }
        try {
            PluginHelper.getRoutesLoader(getCamelContext())
                    .updateRoutes(List.of(next.file().resource()));
        } catch (Exception e) {
            throw new RouteRefusal(
                    RouteProblem.of(e, getCamelContext(), next.file().shown()), e);
        }
    }

    private void remove(Running from, List<String> ids) throws RouteRefusal {
        try {
            for (var id : ids) {
                getCamelContext().getRouteController().stopRoute(id);
                getCamelContext().removeRoute(id);
            }
        } catch (Exception e) {
            throw new RouteRefusal(
                    RouteProblem.of(e, getCamelContext(), from.file().shown()), e);
        }
    }
}
