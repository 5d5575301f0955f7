package dev.silkroute.app.routes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

/** The station's own system properties precede environment variables. */
class PlaceholdersTest {
    @Test
    void aSettingGoesBeforeAVariableOfItsName() throws IOException {
        String variable = System.getenv().keySet().stream()
                .filter(name -> name.matches("[A-Z]+"))
                .findFirst()
                .orElseThrow();
        System.setProperty(variable, "the setting");
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            Placeholders.bySettings(context);
            context.start();
            assertThat(context.resolvePropertyPlaceholders("{{" + variable + "}}"))
                    .as(variable)
                    .isEqualTo("the setting");
        } finally {
            System.clearProperty(variable);
        }
    }
}
