package dev.silkroute.perf.decode;

import java.util.function.Supplier;

/** The depth of decoding. */
enum Depth {
    /** The collector's path: from BMP bytes to the record, every attribute and NLRI validated. */
    ROUTES("", "the collector's path: bytes to RouteBatch", Lengths::new),
    /** The same, then the record is checked and every field of it read in place. The others read their objects. */
    FIELDS(", fields", "the same with every field read", Fields::new),
    /** The same, with every attribute of every distinct set as objects and text, as JSON and SQL have them. */
    OBJECTS(", objects", "the same with every attribute as objects and text", Objects::new);

    /** The end of the names of this depth's contenders. */
    private final String suffix;

    private final String measure;
    private final Supplier<RecordReader> readers;

    Depth(String suffix, String measure, Supplier<RecordReader> readers) {
        this.suffix = suffix;
        this.measure = measure;
        this.readers = readers;
    }

    String suffix() {
        return suffix;
    }

    String measure() {
        return measure;
    }

    RecordReader reader() {
        return readers.get();
    }

    private static final class Lengths implements RecordReader {
        private long sum;

        @Override
        public void read(byte[] record) {
            sum += record.length;
        }

        @Override
        public long sum() {
            return sum;
        }
    }
}
