package dev.silkroute.postgres.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every type goes to PostgreSQL and comes back as what it was. */
class CopyBinaryIT {
    private final DataSource database = TestPostgres.database();

    @BeforeEach
    void table() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("""
                    DROP TABLE IF EXISTS t;
                    CREATE TABLE t (i2 smallint, i4 integer, i8 bigint, b boolean, u uuid, ts timestamptz, txt text,
                      j jsonb, by bytea, c4 cidr, c6 cidr, a4 inet, a6 inet, n4 integer[], n8 bigint[], nt text[])
                    """);
        }
    }

    private static void row(CopyBinary row) {
        row.int2(-1);
        row.int4(Integer.MIN_VALUE);
        row.unsigned((int) 4_200_000_011L);
        row.bool(false);
        row.uuid(0x0123456789abcdefL, 0xfedcba9876543210L);
        row.timestamp(1_795_211_443_123_456L);
        row.text("a\0b€\"|");
        row.jsonb("{\"a\": [1, \"ü\"]}");
        row.bytea(new byte[] {9, 0, (byte) 0xff, 9}, 1, 3);
        row.cidr(false, 0, 0xC0000200L, 24);
        row.cidr(true, 0x20010db800000000L, 0, 32);
        row.inet(false, 0, 0xFFFFFFFFL);
        row.inet(true, 0xfe80000000000000L, 1);
        row.int4Array(new int[] {1, -2});
        row.int8Array(List.of(4_294_967_295L, 0L));
        row.textArray(List.of("64500:1", "", "a,b\"{}"));
    }

    @Test
    void everyType() throws SQLException {
        try (Connection connection = database.getConnection();
                CopyTable copy = CopyTable.into(connection, "t")) {
            row(copy.row(16));
            CopyBinary nulls = copy.row(16);
            for (int i = 0; i < 13; i++) {
                nulls.nullField();
            }
            nulls.int4Array(new int[0]);
            nulls.int8Array(List.of());
            nulls.textArray(List.of());
            assertThat(copy.finish()).isEqualTo(2);
        }
        assertThat(TestPostgres.query(database, "SELECT * FROM t LIMIT 1"))
                .singleElement()
                .asString()
                .startsWith("-1|-2147483648|4200000011|f|01234567-89ab-cdef-fedc-ba9876543210|")
                .endsWith("|ab€\"||{\"a\": [1, \"ü\"]}|\\x00ff|192.0.2.0/24|2001:db8::/32|255.255.255.255|fe80::1|"
                        + "{1,-2}|{4294967295,0}|{64500:1,\"\",\"a,b\\\"{}\"}");
        assertThat(TestPostgres.query(database, "SELECT extract(epoch FROM ts) FROM t LIMIT 1"))
                .containsExactly("1795211443.123456");
        assertThat(TestPostgres.query(database, "SELECT n4, n8, nt, cardinality(nt) FROM t WHERE i2 IS NULL"))
                .containsExactly("{}|{}|{}|0");
    }

    @Test
    void manyRowsGoInPieces() throws SQLException {
        try (Connection connection = database.getConnection();
                CopyTable copy = CopyTable.into(connection, "t")) {
            for (int i = 0; i < 10_000; i++) {
                row(copy.row(16));
            }
            copy.finish();
        }
        assertThat(TestPostgres.query(database, "SELECT count(*), count(DISTINCT t.*) FROM t"))
                .containsExactly("10000|1");
    }

    @Test
    void anUnfinishedCopyLeavesNothingAndTheConnectionUsable() throws SQLException {
        try (Connection connection = database.getConnection()) {
            try (CopyTable copy = CopyTable.into(connection, "t")) {
                row(copy.row(16));
            }
            assertThat(connection.createStatement().execute("SELECT 1")).isTrue();
        }
        assertThat(TestPostgres.query(database, "SELECT count(*) FROM t")).containsExactly("0");
    }

    @Test
    void hostBitsAreRejected() throws SQLException {
        try (Connection connection = database.getConnection();
                CopyTable copy = CopyTable.into(connection, "t (c4)")) {
            copy.row(1).cidr(false, 0, 0x0A000001L, 8);
            assertThatThrownBy(copy::finish).isInstanceOf(SQLException.class);
        }
    }
}
