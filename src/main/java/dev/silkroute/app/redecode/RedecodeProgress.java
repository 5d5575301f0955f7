package dev.silkroute.app.redecode;

/** Hears how far it is, and says whether to go on. */
public interface RedecodeProgress {
    /** A pass over {@code bmp.raw} begins. */
    void begin(String pass, long records);

    /** So many records of the pass have been read by now. */
    void read(long records);

    boolean interrupted();
}
