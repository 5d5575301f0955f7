package dev.silkroute.app.routes;

import dev.silkroute.app.config.OperatorError;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.camel.CamelContext;
import org.apache.camel.FailedToCreateRouteException;
import org.apache.camel.NamedNode;
import org.apache.camel.model.Model;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.RouteDefinition;
import org.jspecify.annotations.Nullable;

/**
 * An error in a route file: file, line and reason, extracted from the different exceptions that Camel throws.
 *
 * @param line 0 if it is unknown
 */
public record RouteProblem(String file, int line, String reason) {
    /** The end of messages of the YAML and XML loaders: {@code in file:/…/x.yaml, line 6, column 11:} and a snippet. */
    private static final Pattern PLACE =
            Pattern.compile("\\s*\\bin ((?:file|classpath):[^\\n]*), line (\\d+), column (\\d+):?");

    private static final Pattern NODE = Pattern.compile("at: >>> (.*?) <<< in route:", Pattern.DOTALL);
    private static final Pattern NAMESPACE = Pattern.compile("\\{http[^}]*}");

    public String text() {
        return file + (line > 0 ? ", line " + line : "") + ": " + reason;
    }

    /** Reads an exception that Camel threw while it loaded, built or started routes. */
    public static RouteProblem of(Throwable thrown, CamelContext context) {
        return of(thrown, context, files(context));
    }

    /** The same, with the file to name if the exception names none. */
    public static RouteProblem of(Throwable thrown, CamelContext context, String file) {
        var causes = causes(thrown);
        for (var cause : causes) {
            var problem = placed(String.valueOf(cause.getMessage()));
            if (problem != null) {
                return problem;
            }
        }
        var reason = reason(causes.getLast());
        for (var cause : causes) {
            if (cause instanceof FailedToCreateRouteException failed) {
                return inRoute(failed, context, file, reason);
            }
        }
        return new RouteProblem(file, 0, reason);
    }

    private static @Nullable RouteProblem placed(String message) {
        var place = PLACE.matcher(message);
        if (!place.find()) {
            return null;
        }
        var reason = message.substring(0, place.start())
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(": "));
        return new RouteProblem(RouteFile.shown(place.group(1)), Integer.parseInt(place.group(2)), clean(reason));
    }

    private static RouteProblem inRoute(
            FailedToCreateRouteException failed, CamelContext context, String file, String reason) {
        var model = context.getCamelContextExtension().getContextPlugin(Model.class);
        var id = failed.getRouteId();
        var route = id == null ? null : model.getRouteDefinition(id);
        if (route == null) {
            return new RouteProblem(file, 0, reason);
        }
        var at = NODE.matcher(String.valueOf(failed.getMessage()));
        var node = at.find() ? find(route, at.group(1)) : route.getInput();
        int line = node == null || node.getLineNumber() < 1 ? route.getLineNumber() : node.getLineNumber();
        return new RouteProblem(file(route), Math.max(line, 0), reason);
    }

    /** Finds the node of the route by its string form, which is all that the exception contains. */
    private static @Nullable NamedNode find(RouteDefinition route, String text) {
        var open = new ArrayList<ProcessorDefinition<?>>(route.getOutputs());
        while (!open.isEmpty()) {
            var node = open.removeFirst();
            if (node.toString().equals(text) || node.getLabel().equals(text)) {
                return node;
            }
            open.addAll(0, node.getOutputs());
        }
        return null;
    }

    private static String file(RouteDefinition route) {
        var resource = route.getResource();
        return resource == null ? "route " + route.getId() : RouteFile.shown(resource.getLocation());
    }

    private static String files(CamelContext context) {
        var model = context.getCamelContextExtension().getContextPlugin(Model.class);
        var files = model.getRouteDefinitions().stream()
                .map(RouteProblem::file)
                .distinct()
                .collect(Collectors.joining(", "));
        return files.isEmpty() ? "routes" : files;
    }

    private static String reason(Throwable cause) {
        return clean(OperatorError.reason(cause).replaceFirst("^Failed to resolve endpoint: (\\S+) due to: ", "$1: "));
    }

    private static String clean(String reason) {
        return NAMESPACE.matcher(reason).replaceAll("").strip();
    }

    private static List<Throwable> causes(Throwable thrown) {
        var causes = new ArrayList<Throwable>();
        for (Throwable cause = thrown; cause != null && !causes.contains(cause); cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }
}
