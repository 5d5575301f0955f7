package dev.silkroute.perf.pipeline;

/** A task, which is the same for each way. */
enum Task {
    TEN_SELECTS("10 SELECTs by key"),
    TRANSACTION("BEGIN, SELECT, COMMIT"),
    TEN_INSERTS("10 INSERTs in a transaction"),
    MIXED("INSERT, UPDATE, SELECT, INSERT, SELECT in a transaction"),
    HUNDRED_ROWS("100 rows inserted");

    /** Rows that can be asked for. */
    static final int KEYS = 10_000;

    final String what;

    Task(String what) {
        this.what = what;
    }

    /** The keys that the operation of a number asks for. */
    static int key(long operation, int i) {
        return (int) Math.floorMod(operation * 7_919 + i * 104_729L, KEYS);
    }

    /** Returns the value of a key. */
    static long value(int key) {
        return key * 31L + 7;
    }

    /** Returns the expected result of an operation: the sum of the values that it selects. */
    long expected(long operation) {
        int asked = switch (this) {
            case TEN_SELECTS -> 10;
            case TRANSACTION -> 1;
            case MIXED -> 2;
            case TEN_INSERTS, HUNDRED_ROWS -> 0;
        };
        long sum = 0;
        for (int i = 0; i < asked; i++) {
            sum += value(key(operation, i));
        }
        return sum;
    }

    /** Rows that an operation inserts. */
    int rows() {
        return switch (this) {
            case TEN_INSERTS -> 10;
            case MIXED -> 2;
            case HUNDRED_ROWS -> 100;
            case TEN_SELECTS, TRANSACTION -> 0;
        };
    }

    /** The id of a row that an operation inserts. */
    long id(long operation, int i) {
        return operation * rows() + i;
    }
}
