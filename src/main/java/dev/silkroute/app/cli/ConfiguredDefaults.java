package dev.silkroute.app.cli;

import dev.silkroute.app.config.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Takes the default of each option from the key of the same name: that of {@code --bmp-port} is the value of {@code
 * silkroute.bmp-port}.
 */
final class ConfiguredDefaults implements IDefaultValueProvider {
    private final Configuration configuration;

    ConfiguredDefaults(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        var key = argument instanceof OptionSpec option ? Configuration.key(option.longestName()) : null;
        return key == null ? null : configuration.find(key);
    }
}
