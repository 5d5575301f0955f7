package dev.silkroute.app.cli;

import java.io.IOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
public final class Version implements IVersionProvider {
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

    @Override
    public String[] getVersion() {
        return new String[] {"silkroute " + text()};
    }
}
