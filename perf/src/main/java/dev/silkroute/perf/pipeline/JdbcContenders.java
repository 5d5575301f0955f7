package dev.silkroute.perf.pipeline;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks by pgjdbc: one statement after the other, as most programs do, and as well as it can. Its statements are
 * made once and have been used often enough to be prepared at the server.
 */
final class JdbcContenders implements AutoCloseable {
    private final Connection plain;
    private final Connection transaction;
    private final Connection rewriting;
    private final PreparedStatement select;
    private final PreparedStatement selectAny;
    private final PreparedStatement selectTen;
    private final PreparedStatement selectInTransaction;
    private final PreparedStatement selectBetween;
    private final PreparedStatement insert;
    private final PreparedStatement count;
    private final PreparedStatement note;
    private final PreparedStatement insertMany;
    private final PreparedStatement insertArrays;

    JdbcContenders(String url) throws SQLException {
        plain = DriverManager.getConnection(url);
        transaction = DriverManager.getConnection(url);
        transaction.setAutoCommit(false);
        rewriting = DriverManager.getConnection(url + "&reWriteBatchedInserts=true");
        select = plain.prepareStatement(Sql.SELECT);
        selectAny = plain.prepareStatement(Sql.SELECT_ANY);
        selectTen = plain.prepareStatement(String.join("; ", Collections.nCopies(10, Sql.SELECT)));
        selectBetween = plain.prepareStatement("BEGIN; " + Sql.SELECT + "; COMMIT");
        insertArrays = plain.prepareStatement(Sql.INSERT_ARRAYS);
        selectInTransaction = transaction.prepareStatement(Sql.SELECT);
        insert = transaction.prepareStatement(Sql.INSERT);
        count = transaction.prepareStatement(Sql.COUNT);
        note = transaction.prepareStatement(Sql.NOTE);
        insertMany = rewriting.prepareStatement(Sql.INSERT);
    }

    List<Way> ways() {
        return List.of(
                new Way(Task.TEN_SELECTS, Way.Group.SEQUENTIAL, "10 executeQuery", this::selects),
                new Way(Task.TEN_SELECTS, Way.Group.BEST, "one string of 10 SELECTs", this::selectString),
                new Way(Task.TEN_SELECTS, Way.Group.BEST, "= ANY(?)", this::selectAny),
                new Way(Task.TRANSACTION, Way.Group.SEQUENTIAL, "executeQuery, commit", this::transaction),
                new Way(Task.TRANSACTION, Way.Group.BEST, "one string", this::transactionString),
                new Way(
                        Task.TEN_INSERTS,
                        Way.Group.SEQUENTIAL,
                        "10 executeUpdate, commit",
                        n -> inserts(Task.TEN_INSERTS, n)),
                new Way(Task.TEN_INSERTS, Way.Group.BEST, "addBatch, commit", n -> batch(Task.TEN_INSERTS, n)),
                new Way(Task.MIXED, Way.Group.SEQUENTIAL, "5 statements, commit", this::mixed),
                new Way(
                        Task.HUNDRED_ROWS,
                        Way.Group.SEQUENTIAL,
                        "100 executeUpdate, commit",
                        n -> inserts(Task.HUNDRED_ROWS, n)),
                new Way(Task.HUNDRED_ROWS, Way.Group.BEST, "addBatch, commit", n -> batch(Task.HUNDRED_ROWS, n)),
                new Way(
                        Task.HUNDRED_ROWS,
                        Way.Group.BEST,
                        "addBatch with reWriteBatchedInserts, auto-commit",
                        this::rewritten),
                new Way(Task.HUNDRED_ROWS, Way.Group.BEST, "UNNEST, auto-commit", this::arrays));
    }

    private static long sum(PreparedStatement query) throws SQLException {
        try (ResultSet rows = query.executeQuery()) {
            return sum(rows);
        }
    }

    private static long sum(ResultSet rows) throws SQLException {
        long sum = 0;
        while (rows.next()) {
            sum += rows.getLong(1);
            rows.getString(2);
        }
        return sum;
    }

    private long selects(long operation) throws SQLException {
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            select.setInt(1, Task.key(operation, i));
            sum += sum(select);
        }
        return sum;
    }

    private long selectString(long operation) throws SQLException {
        for (int i = 0; i < 10; i++) {
            selectTen.setInt(i + 1, Task.key(operation, i));
        }
        return sumAll(selectTen);
    }

    private static long sumAll(PreparedStatement statement) throws SQLException {
        long sum = 0;
        boolean rows = statement.execute();
        while (rows || statement.getUpdateCount() >= 0) {
            if (rows) {
                try (ResultSet result = statement.getResultSet()) {
                    sum += sum(result);
                }
            }
            rows = statement.getMoreResults();
        }
        return sum;
    }

    private long selectAny(long operation) throws SQLException {
        @Nullable Object[] keys = new Object[10];
        for (int i = 0; i < 10; i++) {
            keys[i] = Task.key(operation, i);
        }
        selectAny.setArray(1, plain.createArrayOf("integer", keys));
        return sum(selectAny);
    }

    private long transaction(long operation) throws SQLException {
        selectInTransaction.setInt(1, Task.key(operation, 0));
        long sum = sum(selectInTransaction);
        transaction.commit();
        return sum;
    }

    private long transactionString(long operation) throws SQLException {
        selectBetween.setInt(1, Task.key(operation, 0));
        return sumAll(selectBetween);
    }

    private long inserts(Task task, long operation) throws SQLException {
        for (int i = 0; i < task.rows(); i++) {
            set(insert, task.id(operation, i));
            insert.executeUpdate();
        }
        transaction.commit();
        return 0;
    }

    private static void set(PreparedStatement statement, long id) throws SQLException {
        statement.setLong(1, id);
        statement.setString(2, "word " + id);
        statement.setLong(3, id * 3);
    }

    private long batch(Task task, long operation) throws SQLException {
        for (int i = 0; i < task.rows(); i++) {
            set(insert, task.id(operation, i));
            insert.addBatch();
        }
        insert.executeBatch();
        transaction.commit();
        return 0;
    }

    private long mixed(long operation) throws SQLException {
        set(insert, operation);
        insert.executeUpdate();
        count.setInt(1, 1);
        count.setInt(2, 1);
        count.executeUpdate();
        selectInTransaction.setInt(1, Task.key(operation, 0));
        long sum = sum(selectInTransaction);
        note.setLong(1, operation);
        note.setString(2, "word " + operation);
        note.executeUpdate();
        selectInTransaction.setInt(1, Task.key(operation, 1));
        sum += sum(selectInTransaction);
        transaction.commit();
        return sum;
    }

    private long rewritten(long operation) throws SQLException {
        for (int i = 0; i < Task.HUNDRED_ROWS.rows(); i++) {
            set(insertMany, Task.HUNDRED_ROWS.id(operation, i));
            insertMany.addBatch();
        }
        insertMany.executeBatch();
        return 0;
    }

    private long arrays(long operation) throws SQLException {
        Rows rows = Rows.of(Task.HUNDRED_ROWS, operation);
        insertArrays.setArray(1, plain.createArrayOf("bigint", rows.ids().toArray()));
        insertArrays.setArray(2, plain.createArrayOf("text", rows.words().toArray()));
        insertArrays.setArray(3, plain.createArrayOf("bigint", rows.values().toArray()));
        insertArrays.executeUpdate();
        return 0;
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : List.of(plain, transaction, rewriting)) {
            try (connection;
                    Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1");
            }
        }
    }
}
