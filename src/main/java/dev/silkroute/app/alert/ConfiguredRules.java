package dev.silkroute.app.alert;

import dev.silkroute.alert.AlertRules;
import dev.silkroute.alert.RulesFile;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.UsageError;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The file that {@code silkroute.alerts.rules} names. */
public final class ConfiguredRules {
    private ConfiguredRules() {}

    /**
     * Returns the rules, none if the alerts are off.
     *
     * @throws UsageError if the alerts are on and the file is not named, missing or not valid
     */
    public static AlertRules read(StationConfig config) {
        if (!config.routes().alerts().enabled()) {
            return AlertRules.NONE;
        }
        Path file = config.alerts()
                .rules()
                .orElseThrow(() -> new UsageError("silkroute.routes.alerts.enabled requires silkroute.alerts.rules"));
        try {
            return RulesFile.read(file);
        } catch (NoSuchFileException e) {
            throw new UsageError("silkroute.alerts.rules: there is no file " + file);
        } catch (IOException e) {
            throw new UsageError("silkroute.alerts.rules: " + e.getMessage());
        }
    }
}
