package dev.silkroute.app.config;

import java.io.IOException;
import java.util.Properties;

/** The version and the commit that the build wrote into {@code silkroute.properties}. */
public final class Version {
    private Version() {}

    /** Returns the version, or {@code unknown} if the build has written none. */
    public static String text() {
        return property("version", "unknown");
    }

    /** Returns the commit, or an empty string if the build has written none. */
    public static String commit() {
        return property("commit", "");
    }

    private static String property(String name, String otherwise) {
        var properties = new Properties();
        try (var file = Version.class.getResourceAsStream("/silkroute.properties")) {
            if (file != null) {
                properties.load(file);
            }
        } catch (IOException e) {
            return otherwise;
        }
        return properties.getProperty(name, otherwise);
    }
}
