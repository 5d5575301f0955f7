package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The schema when processes of two versions use it. */
class DatabaseIT {
    private final DataSource database = TestPostgres.database();

    private void execute(String statement) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statements = connection.createStatement()) {
            statements.execute(statement);
        }
    }

    private String viewText() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT bmp.rib_view_text(4::smallint)")) {
            row.next();
            return row.getString(1);
        }
    }

    /** As migrations of another version leave it: another function, and a numbered migration that is not known here. */
    private void migrateToNewerVersion() throws SQLException {
        execute("CREATE OR REPLACE FUNCTION bmp.rib_view_text(code smallint) RETURNS text LANGUAGE sql IMMUTABLE"
                + " AS $$ SELECT 'of the other version' $$");
        execute("UPDATE bmp.flyway_schema_history SET checksum = checksum + 1 WHERE version IS NULL");
        execute("INSERT INTO bmp.flyway_schema_history SELECT max(installed_rank) + 1, '999', 'newer', 'SQL',"
                + " 'V999__newer.sql', 1, current_user, now(), 0, true FROM bmp.flyway_schema_history");
    }

    @Test
    void anOlderProcessLeavesTheSchemaOfANewerVersionAsItIs() throws SQLException {
        migrateToNewerVersion();
        Database.migrate(TestPostgres.url(database));
        assertThat(viewText()).isEqualTo("of the other version");
        execute("DELETE FROM bmp.flyway_schema_history WHERE version = '999'");
        Database.migrate(TestPostgres.url(database));
        assertThat(viewText()).isEqualTo("loc-rib");
    }
}
