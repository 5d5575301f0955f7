package dev.silkroute.perf.decode;

/** Reads the records of {@code bmp.routes} that our decoder produces. Not thread-safe. */
interface RecordReader {
    void read(byte[] record);

    /** Depends on everything read, so that no reading can be left out. */
    long sum();
}
