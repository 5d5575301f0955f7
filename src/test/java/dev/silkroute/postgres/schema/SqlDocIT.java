package dev.silkroute.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.load.Churn;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.postgres.StoredRouter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The SQL of all pages of the documentation runs: blocks, and statements after {@code ./silkroute sql}. */
class SqlDocIT {
    private static final DataSource DATABASE = TestPostgres.database();
    private static final Pattern BLOCK =
            Pattern.compile("(?m)^ *```sql\n(.*?)^ *```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern COMMAND = Pattern.compile("\\./silkroute sql (?:--\\S+ \\S+ )?\"([^\"]+)\"");

    /** A statement of a page, which fails with the page's name. */
    record Example(Path page, String sql) {
        @Override
        public String toString() {
            return page + ": " + sql.strip();
        }
    }

    @BeforeAll
    static void aRouter() throws Exception {
        LoadProfile profile = new LoadProfile(
                1, 1, 1, 5, LoadProfile.FAMILIES, EnumSet.allOf(RibView.class), 0, Churn.STEADY, 5, false);
        new StoredRouter(DATABASE, new LoadPlan(profile), 0, 1)
                .rest(Instant.now().minusSeconds(60));
    }

    static List<Example> examples() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(Path.of("README.md")));
        try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md") && !file.startsWith("docs/adr"))
                    .sorted()
                    .forEach(pages::add);
        }
        List<Example> examples = new ArrayList<>();
        for (Path page : pages) {
            String text = Files.readString(page);
            for (Pattern pattern : List.of(BLOCK, COMMAND)) {
                pattern.matcher(text)
                        .results()
                        .map(found -> found.group(1))
                        .filter(sql -> !sql.contains("…") && !sql.contains("keep_tenants_apart")) // needs the role
                        .forEach(sql -> examples.add(new Example(page, sql)));
            }
        }
        return examples;
    }

    /** Runs a statement and undoes it. Returns whether it has returned a row. */
    private static boolean hasRows(String sql) throws SQLException {
        try (Connection connection = DATABASE.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            try {
                statement.execute("SET LOCAL search_path TO public, bmp");
                return statement.execute(sql) && statement.getResultSet().next();
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void runs(Example example) throws Exception {
        hasRows(example.sql());
        // With a prefix and a name that the synthetic router has, queries for them must return rows.
        String own = TestPostgres.query(DATABASE, "SELECT prefix FROM bmp.v_rib WHERE family = 'ipv4-unicast' LIMIT 1")
                .getFirst();
        String asked = example.sql().replace("203.0.113.0/24", own).replace("edge-1", "load-0001");
        if (example.sql().contains("compare_views") || example.sql().contains("prefix = '203")) {
            assertThat(hasRows(asked.replaceAll("now\\(\\) - interval '1 (day|hour)'(\\))", "now()$2")))
                    .isTrue();
        }
    }

    @Test
    void everyPublicViewAndFunctionHasAnExample() throws Exception {
        String sql = String.join("\n", examples().stream().map(Example::sql).toList());
        assertThat(TestPostgres.query(
                        DATABASE,
                        "SELECT relname FROM pg_class WHERE relnamespace = 'bmp'::regnamespace AND relkind = 'v'"
                                + " AND obj_description(oid, 'pg_class') NOT LIKE 'Internal: %'"))
                .hasSizeGreaterThan(5)
                .allSatisfy(view -> assertThat(sql).contains(view));
        assertThat(sql).contains("lookup(", "rib_at(", "rib_diff(", "route_timeline(", "compare_views(", "reconcile(");
    }
}
