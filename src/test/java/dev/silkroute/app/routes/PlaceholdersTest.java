package dev.silkroute.app.routes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

/** What the station says of itself, in system properties, goes before variables of the environment. */
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
