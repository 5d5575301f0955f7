package dev.silkroute.capture;

import java.nio.file.Path;

/** A capture format, selected by the first bytes of a file. Stateless. */
public interface CaptureFormat {
    /** The number of bytes that {@link #recognizes} receives, if the file is that long. */
    int SNIFFED_BYTES = 12;

    /**
     * Returns whether a file with these first bytes, after decompression, has this format.
     *
     * @param first at most {@link #SNIFFED_BYTES}
     */
    boolean recognizes(byte[] first);

    /** Returns the sessions of a file of this format. Does not read the file yet. */
    SessionSource open(Path file);
}
