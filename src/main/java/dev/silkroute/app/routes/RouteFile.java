package dev.silkroute.app.routes;

import java.util.regex.Pattern;
import org.apache.camel.spi.Resource;
import org.apache.camel.support.ResourceHelper;

/**
 * A file of routes as it was read: what is loaded, compared and, after a failed exchange, loaded again is this content,
 * whatever became of the file since.
 *
 * @param name the file's name without its ending: a file of the routes directory replaces the packaged one of its name
 * @param location as Camel writes it: {@code classpath:routes/NAME.yaml} or {@code file:/…/NAME.yaml}
 */
record RouteFile(String name, String location, String content) {

    /** The file as Camel's loaders take it. */
    Resource resource() {
        return ResourceHelper.fromString(location, content);
    }

    /** Whether it has a route of this id, as far as text can tell: what is broken can't be asked otherwise. */
    boolean declares(String id) {
        return Pattern.compile("\\bid\"?\\s*[:=]\\s*[\"']?" + Pattern.quote(id) + "(?![^\\s\"',}])")
                .matcher(content)
                .find();
    }

    /** The file as one speaks of it. */
    String shown() {
        return shown(location);
    }

    static String shown(String location) {
        if (location.startsWith("classpath:")) {
            return "packaged " + location.substring("classpath:".length());
        }
        return location.startsWith("file:") ? location.substring("file:".length()) : location;
    }
}
