package dev.silkroute.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.GeneratedPage;
import dev.silkroute.fixture.TestPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** docs/reference/sql.md is what the database's comments contain, and nothing is without a comment. */
class SqlPageIT {
    private static final DataSource DATABASE = TestPostgres.database();

    private static final String INTRODUCTION = """
        # SQL views and functions

        This page is generated from the comments in the database. Everything is in the schema `bmp`. Unsigned 32-bit
        values are `bigint`, addresses `inet`, prefixes `cidr`, times `timestamptz`. Tables and functions that are not listed
        here may change in any version. [Querying](../how-to/query.md) has examples, [database](database.md) describes
        how long rows are kept.
        """;

    private static final String VIEWS = """
        SELECT relname, obj_description(oid, 'pg_class') FROM pg_class
        WHERE relnamespace = 'bmp'::regnamespace AND relkind = 'v'
        ORDER BY array_position('{v_routers,v_peers,v_rib,v_route_history,v_peer_events,v_stats,v_mirror,v_quarantine}', relname::text)
        """;

    private static final String COLUMNS = """
        SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), col_description(c.oid, a.attnum)
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        WHERE c.relnamespace = 'bmp'::regnamespace AND c.relkind = 'v' ORDER BY c.relname, a.attnum
        """;

    private static final String FUNCTIONS = """
        SELECT proname, pg_get_function_arguments(oid), pg_get_function_result(oid), obj_description(oid, 'pg_proc')
        FROM pg_proc WHERE pronamespace = 'bmp'::regnamespace ORDER BY proname
        """;

    private static List<List<String>> rows(String query) throws SQLException {
        try (Connection connection = DATABASE.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<List<String>> all = new ArrayList<>();
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.add(rows.getString(i));
                }
                all.add(row);
            }
            return all;
        }
    }

    private static boolean isInternal(String comment) {
        return comment.startsWith("Internal: ");
    }

    @Test
    void viewsColumnsAndFunctionsHaveComments() throws SQLException {
        for (String query : List.of(VIEWS, COLUMNS, FUNCTIONS)) {
            assertThat(rows(query))
                    .hasSizeGreaterThan(5)
                    .allSatisfy(
                            row -> assertThat(row.getLast()).as(row.toString()).isNotBlank());
        }
    }

    @Test
    void pageIsCurrent() throws SQLException, IOException {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        page.append("\n## Views\n");
        List<List<String>> columns = rows(COLUMNS);
        for (List<String> view : rows(VIEWS)) {
            if (!isInternal(view.getLast())) {
                page.append("\n### ")
                        .append(view.getFirst())
                        .append("\n\n")
                        .append(view.getLast())
                        .append(".\n\n");
                page.append(GeneratedPage.table(
                        List.of("column", "type", "meaning"),
                        columns.stream()
                                .filter(column -> column.getFirst().equals(view.getFirst()))
                                .map(column -> List.of(
                                        "`" + column.get(1) + "`",
                                        column.get(2).replace("timestamp with time zone", "timestamptz"),
                                        column.get(3)))
                                .toList()));
            }
        }
        page.append("\n## Functions\n");
        for (List<String> function : rows(FUNCTIONS)) {
            if (!isInternal(function.getLast())) {
                page.append("\n### ")
                        .append(function.getFirst())
                        .append("\n\n")
                        .append(function.getLast())
                        .append(".\n\n");
                page.append("```text\nbmp.")
                        .append(function.getFirst())
                        .append("(\n  ")
                        .append(lines(function.get(1)))
                        .append(")\nRETURNS ")
                        .append(lines(function.get(2).replace("TABLE(", "TABLE (\n  ")))
                        .append("\n```\n");
            }
        }
        GeneratedPage.at("docs/reference/sql.md").assertIs(page.toString());
    }

    private static String lines(String declarations) {
        return declarations
                .replace("timestamp with time zone", "timestamptz")
                .replace("::text", "")
                .replace(", ", ",\n  ");
    }
}
