package dev.silkroute.app.routes;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The forms in which Camel reports a problem with a file, each converted to file, line and reason. */
class RouteProblemTest {
    private final CamelContext context = new DefaultCamelContext();

    @AfterEach
    void stop() {
        context.stop();
    }

    private RouteProblem of(Throwable thrown) {
        return RouteProblem.of(thrown, context, "mine.yaml");
    }

    @Test
    void theYamlLoadersWay() {
        RouteProblem problem = of(new IllegalArgumentException("""
                Unknown node id: logg
                 in file:/etc/my routes/mine.yaml, line 6, column 11:
                            - logg: hello
                              ^
                """));
        assertThat(problem).isEqualTo(new RouteProblem("/etc/my routes/mine.yaml", 6, "Unknown node id: logg"));
        assertThat(problem.text()).isEqualTo("/etc/my routes/mine.yaml, line 6: Unknown node id: logg");
    }

    @Test
    void theYamlScannersWay() {
        Exception scanner = new IllegalStateException("""
                while scanning for the next token
                found character '\\t(TAB)' that cannot start any token
                 in classpath:routes/collector.yaml, line 3, column 1:
                    \\tfrom
                """);
        assertThat(of(new RuntimeException("Error pre-parsing resource: mine.yaml", scanner)))
                .isEqualTo(new RouteProblem(
                        "packaged routes/collector.yaml",
                        3,
                        "while scanning for the next token: found character '\\t(TAB)' that cannot start any token"));
    }

    @Test
    void theXmlParsersWay() {
        assertThat(of(new RuntimeException("""
                Unexpected element '{http://camel.apache.org/schema/xml-io}logg'
                 in file:/x.xml, line 4, column 24:
                """)).text()).isEqualTo("/x.xml, line 4: Unexpected element 'logg'");
    }

    @Test
    void anythingElseIsBlamedOnTheFileWithItsLastReason() {
        assertThat(of(new RuntimeException("outer", new IllegalStateException("Address\nalready in use"))))
                .isEqualTo(new RouteProblem("mine.yaml", 0, "Address already in use"));
        assertThat(of(new NullPointerException()).text()).isEqualTo("mine.yaml: NullPointerException");
    }
}
