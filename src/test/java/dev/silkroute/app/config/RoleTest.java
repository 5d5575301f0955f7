package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class RoleTest {
    @Test
    void parsesListsOfRoles() {
        assertThat(Role.parse("collector, Writer")).containsExactly(Role.COLLECTOR, Role.WRITER);
        assertThat(Role.parse("all")).isEqualTo(EnumSet.allOf(Role.class));
        assertThat(Role.text(EnumSet.allOf(Role.class))).isEqualTo("collector,writer,rib,api");
    }

    @Test
    void otherNamesAreRejected() {
        for (String text : new String[] {"", "collector,", "oracle"}) {
            assertThatThrownBy(() -> Role.parse(text))
                    .isInstanceOf(OperatorError.class)
                    .hasMessageContaining("is not a role");
        }
    }
}
