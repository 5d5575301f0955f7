package dev.silkroute.app.web.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.app.web.ProblemException;
import dev.silkroute.app.web.ProblemType;
import dev.silkroute.component.rib.TestOffsets;
import dev.silkroute.fixture.TestConfig;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.lang.reflect.Proxy;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

/** While the RIB is loading a lookup must not respond that there is no route. */
class LookupResourceTest {
    private static final StationConfig CONFIG = TestConfig.of("silkroute.roles", "rib,collector");

    private static Answers answers(String address) {
        MultivaluedMap<String, String> parameters = new MultivaluedHashMap<>();
        parameters.add("address", address);
        UriInfo uri = (UriInfo) Proxy.newProxyInstance(
                UriInfo.class.getClassLoader(), new Class<?>[] {UriInfo.class}, (_, _, _) -> parameters);
        return new Answers(null, uri, null, null, new SimpleMeterRegistry(), CONFIG);
    }

    @Test
    void untilTheRibIsLoadedLookupsAreAnsweredWithRetryAfter() throws Exception {
        TestOffsets places = new TestOffsets();
        try (DefaultCamelContext camel = new DefaultCamelContext();
                Rib rib = new Rib(RibConfig.ofBytes(16 << 20))) {
            camel.getRegistry().bind("rib", rib);
            camel.getRegistry().bind("ribFeed", places);
            camel.start();
            LookupResource lookups = new LookupResource(
                    camel.createProducerTemplate(), answers("192.0.2.1"), new OriginValidation(CONFIG), CONFIG);
            // Then
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(lookups::lookup)
                    .withMessage("the RIB has not been loaded yet; /q/health/ready reports its progress")
                    .matches(problem -> problem.type() == ProblemType.RETRY_LATER);
            // When it has been read
            places.ready.set(true);
            // Then
            Response answer = lookups.lookup();
            assertThat(answer.getStatus()).isEqualTo(200);
            assertThat(answer.getEntity()).isEqualTo("[]");
        }
    }
}
