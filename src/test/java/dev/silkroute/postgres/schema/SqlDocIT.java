package dev.silkroute.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.load.Churn;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.postgres.StoredRouter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that every example of {@code docs/how-to/query.md} runs, and that the page describes every view and function.
 */
class SqlDocIT {
    private static final DataSource DATABASE = TestPostgres.database();
    private static final Pattern EXAMPLE = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

    @BeforeAll
    static void aRouter() throws Exception {
        LoadProfile profile = new LoadProfile(
                1, 1, 1, 5, LoadProfile.FAMILIES, EnumSet.allOf(RibView.class), 0, Churn.STEADY, 5, false);
        new StoredRouter(DATABASE, new LoadPlan(profile), 0, 1)
                .rest(Instant.now().minusSeconds(60));
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("docs", "how-to", "query.md"));
    }

    static Stream<String> examples() throws IOException {
        return EXAMPLE.matcher(page()).results().map(found -> found.group(1)).toList().stream();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void runs(String example) throws Exception {
        // With a prefix and a name that the synthetic router has, queries for them must return rows.
        String own = TestPostgres.query(DATABASE, "SELECT prefix FROM bmp.v_rib WHERE family = 'ipv4-unicast' LIMIT 1")
                .getFirst();
        String asked = example.replace("203.0.113.0/24", own).replace("edge-1", "load-0001");
        List<String> rows = TestPostgres.query(DATABASE, asked.replace("now() - interval '1 day'", "now()"));
        if (example.contains("compare_views") || example.contains("prefix = '203")) {
            assertThat(rows).isNotEmpty();
        }
        assertThatNoException().isThrownBy(() -> TestPostgres.query(DATABASE, example));
    }

    @Test
    void noneIsMissing() throws Exception {
        List<String> views = TestPostgres.query(
                DATABASE, "SELECT viewname FROM pg_views WHERE schemaname = 'bmp' AND viewname LIKE 'v\\_%'");
        assertThat(views).contains("v_rib", "v_route_history"); // the query finds views at all
        assertThat(examples()).hasSizeGreaterThan(5);
        assertThat(page())
                .contains(views)
                .contains("lookup(", "rib_at(", "rib_diff(", "route_timeline(", "compare_views(", "reconcile(");
    }
}
