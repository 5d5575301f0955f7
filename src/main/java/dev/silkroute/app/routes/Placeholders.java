package dev.silkroute.app.routes;

import org.apache.camel.CamelContext;
import org.apache.camel.component.properties.PropertiesComponent;

/**
 * What {@code {{…}}} in routes means: the station's settings, in which options go before variables of the environment. Camel by itself looks at the
 * environment first: {@code SILKROUTE_BMP_PORT=0} would be the port to listen at, not the free one that was found for it.
 */
public final class Placeholders {
    private Placeholders() {}

    /** To be called before the context has routes. */
    public static void bySettings(CamelContext context) {
        if (context.getPropertiesComponent() instanceof PropertiesComponent placeholders) {
            placeholders.setEnvironmentVariableMode(PropertiesComponent.ENVIRONMENT_VARIABLES_MODE_FALLBACK);
        }
    }
}
