package dev.silkroute.perf.pipeline;

/** The statements of all ways, in JDBC's words. */
final class Sql {
    static final String SELECT = "SELECT value, word FROM entry WHERE id = ?";
    static final String SELECT_ANY = "SELECT value, word FROM entry WHERE id = ANY(?)";
    static final String INSERT = "INSERT INTO line (id, word, value) VALUES (?, ?, ?)";
    static final String INSERT_ARRAYS =
            "INSERT INTO line (id, word, value) SELECT * FROM unnest(?::bigint[], ?::text[], ?::bigint[])";
    static final String NOTE = "INSERT INTO note (id, word) VALUES (?, ?)";
    static final String COUNT = "UPDATE counter SET n = n + ? WHERE id = ?";
    static final String TABLES = """
            CREATE TABLE entry (id integer PRIMARY KEY, value bigint NOT NULL, word text NOT NULL);
            INSERT INTO entry SELECT i, i * 31 + 7, 'word ' || i FROM generate_series(0, 9999) i;
            CREATE TABLE line (id bigint PRIMARY KEY, word text NOT NULL, value bigint NOT NULL);
            CREATE TABLE note (id bigint PRIMARY KEY, word text NOT NULL);
            CREATE TABLE counter (id integer PRIMARY KEY, n bigint NOT NULL);
            INSERT INTO counter VALUES (1, 0);
            ANALYZE""";

    private Sql() {}

    /** The statement with parameters in the syntax of PostgreSQL. */
    static String numbered(String sql) {
        StringBuilder out = new StringBuilder();
        int number = 0;
        for (char c : sql.toCharArray()) {
            if (c == '?') {
                out.append('$').append(++number);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
