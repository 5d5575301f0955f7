package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class RolesTest {
    @Test
    void parsesListsOfRoles() {
        assertThat(Roles.of("collector, Writer").all()).containsExactly(Role.COLLECTOR, Role.WRITER);
        assertThat(Roles.of("all").all()).isEqualTo(EnumSet.allOf(Role.class));
        assertThat(Roles.of("all")).hasToString("collector,writer,rib,api");
    }

    @Test
    void otherNamesAreRejected() {
        for (String text : new String[] {"", "collector,", "oracle"}) {
            assertThatThrownBy(() -> Roles.of(text))
                    .isInstanceOf(OperatorError.class)
                    .hasMessageContaining("is not a role");
        }
    }
}
