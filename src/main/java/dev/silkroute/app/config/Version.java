package dev.silkroute.app.config;

import java.io.IOException;
import java.util.Properties;

/** The version that the build wrote into {@code silkroute.properties}. */
public final class Version {
    private Version() {}

    /** Returns the version, or {@code unknown} if the build left none. */
    public static String text() {
        var properties = new Properties();
        try (var file = Version.class.getResourceAsStream("/silkroute.properties")) {
            if (file != null) {
                properties.load(file);
            }
        } catch (IOException e) {
            return "unknown";
        }
        return properties.getProperty("version", "unknown");
    }
}
