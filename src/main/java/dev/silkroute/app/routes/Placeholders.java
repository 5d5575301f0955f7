package dev.silkroute.app.routes;

import org.apache.camel.CamelContext;
import org.apache.camel.component.properties.PropertiesComponent;

/**
 * Resolves {@code {{…}}} in routes by the station's settings, in which options precede environment variables. Camel's
 * default precedence is the reverse: with {@code SILKROUTE_BMP_PORT=0} in the environment, a route would listen at
 * port 0 instead of the free port that was chosen for it.
 */
public final class Placeholders {
    private Placeholders() {}

    /** Call this before the context has routes. */
    public static void bySettings(CamelContext context) {
        if (context.getPropertiesComponent() instanceof PropertiesComponent placeholders) {
            placeholders.setEnvironmentVariableMode(PropertiesComponent.ENVIRONMENT_VARIABLES_MODE_FALLBACK);
        }
    }
}
