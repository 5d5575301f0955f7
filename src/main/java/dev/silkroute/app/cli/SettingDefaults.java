package dev.silkroute.app.cli;

import dev.silkroute.app.config.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Takes the default of each option from the setting of the same name: {@code --bmp-port} defaults to
 * {@code silkroute.bmp-port}.
 */
final class SettingDefaults implements IDefaultValueProvider {
    private final Settings settings;

    SettingDefaults(Settings settings) {
        this.settings = settings;
    }

    static String property(OptionSpec option) {
        return "silkroute." + option.longestName().replaceFirst("^--", "");
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (argument instanceof OptionSpec option && !option.usageHelp() && !option.versionHelp()) {
            return settings.find(property(option));
        }
        return null;
    }
}
