package dev.silkroute.app.routes;

import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import org.apache.camel.CamelContext;
import org.apache.camel.Component;
import org.apache.camel.StartupSummaryLevel;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.Model;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.spi.PropertiesSource;
import org.apache.camel.support.DefaultRegistry;
import org.apache.camel.support.LifecycleStrategySupport;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.PropertyBindingSupport;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/**
 * Tries a route file before it replaces a loaded one: its routes are parsed and built in a context of their own, with
 * the station's beans and properties, but not started. What cannot be resolved is found here, while the loaded routes
 * keep running. Templates that a file uses have to be in the file; error handling ({@code routeConfigurationId}) is
 * looked up when the routes are loaded.
 */
final class Rehearsal {
    private final CamelContext live;
    private final Config config;

    Rehearsal(CamelContext live, Config config) {
        this.live = live;
        this.config = config;
    }

    /** Returns the ids of the file's routes. */
    List<String> of(RouteFile file) throws RouteRejection {
        var beans = new LiveBeans(live);
        var scratch = new DefaultCamelContext(new DefaultRegistry(beans));
        try {
            prepare(scratch);
            PluginHelper.getRoutesLoader(scratch).updateRoutes(List.of(file.resource()));
            scratch.init();
            return ids(file, scratch);
        } catch (RouteRejection e) {
            throw e;
        } catch (Exception e) {
            throw new RouteRejection(RouteProblem.of(e, scratch, file.shown()), e);
        } finally {
            scratch.stop();
            beans.giveBack();
        }
    }

    /**
     * Returns the ids of a file's routes in a context that has loaded it; each route must have one, by which it is
     * replaced.
     */
    static List<String> ids(RouteFile file, CamelContext context) throws RouteRejection {
        var routes = context.getCamelContextExtension().getContextPlugin(Model.class).getRouteDefinitions().stream()
                .filter(route -> isOf(file, route))
                .toList();
        for (var route : routes) {
            if (!route.hasCustomIdAssigned()) {
                throw new RouteRejection(new RouteProblem(
                        file.shown(),
                        Math.max(route.getLineNumber(), 0),
                        "a route has no id: give it one, by which it can be replaced"));
            }
        }
        return routes.stream().map(RouteDefinition::getRouteId).toList();
    }

    private static boolean isOf(RouteFile file, RouteDefinition route) {
        var resource = route.getResource();
        return resource != null && resource.getLocation().equals(file.location());
    }

    private void prepare(DefaultCamelContext scratch) {
        scratch.getCamelContextExtension().setName("rehearsal");
        scratch.disableJMX();
        scratch.setAutoStartup(false);
        scratch.setStartupSummaryLevel(StartupSummaryLevel.Off);
        scratch.setSourceLocationEnabled(true);
        scratch.setApplicationContextClassLoader(live.getApplicationContextClassLoader());
        scratch.getPropertiesComponent().addPropertiesSource(new LiveProperties());
        Placeholders.bySettings(scratch);
        scratch.addLifecycleStrategy(new LifecycleStrategySupport() {
            @Override
            public void onComponentAdd(String name, Component component) {
                configure(scratch, name, component);
            }
        });
    }

    /**
     * Gives a new component the settings of the station's component, except for thread pools: a component shuts down
     * its pools when it is stopped, as the rehearsal's is at the end.
     */
    private void configure(CamelContext scratch, String name, Component component) {
        var prefix = "camel.component." + name + ".";
        var values = new TreeMap<String, Object>();
        for (var property : config.getPropertyNames()) {
            if (property.startsWith(prefix)) {
                config.getOptionalValue(property, String.class)
                        .filter(value -> !isThreadPool(value))
                        .ifPresent(value -> values.put(property.substring(prefix.length()), value));
            }
        }
        PropertyBindingSupport.build()
                .withCamelContext(scratch)
                .withTarget(component)
                .withProperties(values)
                .withIgnoreCase(true)
                .withConfigurer(component.getComponentPropertyConfigurer())
                .bind();
    }

    private boolean isThreadPool(String value) {
        return value.startsWith("#") && live.getRegistry().lookupByName(value.substring(1)) instanceof ExecutorService;
    }

    /** The properties of the station, from all of its sources. */
    private final class LiveProperties implements PropertiesSource {
        @Override
        public String getName() {
            return "station";
        }

        @Override
        public @Nullable String getProperty(String name) {
            return live.getPropertiesComponent().resolveProperty(name).orElse(null);
        }
    }
}
