package dev.silkroute.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.component.rib.TestOffsets;
import dev.silkroute.fixture.TestConfig;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.lang.reflect.Proxy;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

/** While the RIB is loading a lookup must not respond that there is no route. */
class LookupResourceTest {
    private static final UriInfo URI = (UriInfo) Proxy.newProxyInstance(
            UriInfo.class.getClassLoader(), new Class<?>[] {UriInfo.class}, (_, _, _) -> "/api/v1/lookup");

    @Test
    void untilTheRibIsLoadedLookupsAreAnsweredWithRetryAfter() throws Exception {
        TestOffsets places = new TestOffsets();
        try (DefaultCamelContext camel = new DefaultCamelContext();
                Rib rib = new Rib(RibConfig.ofBytes(16 << 20))) {
            camel.getRegistry().bind("rib", rib);
            camel.getRegistry().bind("ribFeed", places);
            camel.start();
            StationConfig config = TestConfig.of("silkroute.roles", "rib,collector");
            LookupResource lookups =
                    new LookupResource(camel.createProducerTemplate(), new OriginValidation(config), config);
            // When
            Response early = lookups.lookup("192.0.2.1", null, URI);
            // Then
            assertThat(early.getStatus()).isEqualTo(503);
            assertThat(early.getHeaderString(HttpHeaders.RETRY_AFTER)).isEqualTo("5");
            assertThat(early.getEntity())
                    .isEqualTo(new Problem(
                            "urn:silkroute:problem:retry-later",
                            "The request is likely to succeed shortly",
                            503,
                            "the RIB has not been loaded yet; /q/health/ready reports its progress",
                            "/api/v1/lookup",
                            null));
            // When it has been read
            places.ready.set(true);
            // Then
            Response answer = lookups.lookup("192.0.2.1", null, URI);
            assertThat(answer.getStatus()).isEqualTo(200);
            assertThat(answer.getEntity()).isEqualTo("[]");
        }
    }
}
