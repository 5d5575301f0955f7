package dev.silkroute.app.alert;

import dev.silkroute.alert.AlertRules;
import dev.silkroute.alert.AlertSettings;
import dev.silkroute.alert.RulesFile;
import dev.silkroute.app.config.OutputConfig;
import dev.silkroute.app.config.ReloadedFile;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.UsageError;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The file that {@code silkroute.alerts.rules} names, and the other settings of the rules. */
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
        return read("silkroute.alerts.rules", file);
    }

    /** Returns the file with the rules, which has been read if it is valid; empty if the alerts are off. */
    static Optional<ReloadedFile<AlertRules>> file(StationConfig config) {
        return config.alerts()
                .rules()
                .filter(named -> config.routes().alerts().enabled())
                .map(named -> {
                    var file = new ReloadedFile<>(
                            "monitored prefixes", named, RulesFile::read, AlertRules.NONE, AlertRules::size);
                    file.reload();
                    return file;
                });
    }

    /**
     * Returns the rules of a file.
     *
     * @param name of the option or setting, for the error
     * @throws UsageError if the file is missing or not valid
     */
    public static AlertRules read(String name, Path file) {
        try {
            return RulesFile.read(file);
        } catch (NoSuchFileException e) {
            throw new UsageError(name + ": there is no file " + file, e);
        } catch (IOException e) {
            throw new UsageError(name + ": " + e.getMessage(), e);
        }
    }

    /** Returns the thresholds and bounds. */
    public static AlertSettings settings(StationConfig config) {
        OutputConfig.Alerts alerts = config.alerts();
        return new AlertSettings(
                alerts.minVantagePoints(),
                alerts.minVisibilityLoss(),
                micros(alerts.notificationInterval()),
                micros(config.state().staleTimeout()),
                alerts.maxRoutes(),
                alerts.maxTables(),
                alerts.maxCountedRoutes());
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }
}
