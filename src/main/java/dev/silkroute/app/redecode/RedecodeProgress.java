package dev.silkroute.app.redecode;

/** Receives the progress of a redecode run and can interrupt it. */
public interface RedecodeProgress {
    /** A pass over {@code bmp.raw} begins that will read this many records. */
    void begin(String pass, long records);

    /** This many records of the pass have been read. */
    void read(long records);

    /** Returns whether the run is to end early. */
    boolean isInterrupted();
}
