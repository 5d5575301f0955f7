package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

/** The error of a failed start names what to correct. */
class StartFailureTest {
    @Test
    void anInvalidSettingIsNotReportedAsAnErrorOfARoute() throws IOException {
        OperatorError wrong = new OperatorError("silkroute.router-names: 'edge' is not of the form PREFIX=VALUE");
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            assertThat(StartFailure.ofRoutes(new RuntimeCamelException(wrong), context))
                    .isSameAs(wrong);
            assertThat(StartFailure.ofRoutes(new RuntimeCamelException(new IOException("no such thing")), context))
                    .hasMessage("routes: no such thing");
        }
    }
}
