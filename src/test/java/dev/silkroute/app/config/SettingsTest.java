package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {
    private static Settings of(Map<String, String> properties, Map<String, String> environment) {
        return new Settings(properties, environment);
    }

    @Test
    void aPropertyOverridesItsVariable() {
        Settings settings = of(
                Map.of("silkroute.bmp-port", "1"), Map.of("SILKROUTE_BMP_PORT", "2", "SILKROUTE_DATA_DIR", " here "));
        assertThat(settings.find("silkroute.bmp-port")).isEqualTo("1");
        assertThat(settings.find("silkroute.data-dir")).isEqualTo("here");
        assertThat(settings.find("silkroute.http-port")).isNull();
    }

    @Test
    void blankMeansNotSet() {
        assertThat(of(Map.of(), Map.of("SILKROUTE_ROLES", "  ")).find("silkroute.roles"))
                .isNull();
    }

    @Test
    void parsesDurations() {
        Settings settings = of(Map.of("a", "7d", "b", "12h", "c", "PT36H", "d", "45s"), Map.of());
        assertThat(settings.duration("a", Duration.ZERO)).isEqualTo(Duration.ofDays(7));
        assertThat(settings.duration("b", Duration.ZERO)).isEqualTo(Duration.ofHours(12));
        assertThat(settings.duration("c", Duration.ZERO)).isEqualTo(Duration.ofHours(36));
        assertThat(settings.duration("d", Duration.ZERO)).isEqualTo(Duration.ofSeconds(45));
        assertThat(settings.duration("e", Duration.ofDays(1))).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void anInvalidValueIsReportedWithItsSetting() {
        Settings settings = of(Map.of(), Map.of("SILKROUTE_TOPIC_PARTITIONS", "many"));
        assertThatThrownBy(() -> settings.integer("silkroute.topic.partitions", 12))
                .isInstanceOf(OperatorError.class)
                .hasMessage("'many' is not an integer: silkroute.topic.partitions (SILKROUTE_TOPIC_PARTITIONS)");
    }

    @Test
    void listsPropertiesBelowAPrefix() {
        Settings settings = of(Map.of("a.b.c", "1", "a.b.d.e", "2", "a.x", "3"), Map.of());
        assertThat(settings.below("a.b.")).containsExactlyInAnyOrderEntriesOf(Map.of("c", "1", "d.e", "2"));
    }
}
