package dev.silkroute.capture;

import java.nio.file.Path;

/** A capture format that another room knows how to read. Stateless. */
public interface CaptureFormat {
    /** As many of a capture's first bytes are shown, compression taken off, where there are so many. */
    int SNIFFED = 12;

    /** Whether a capture that begins so is of this format. Asked when nothing else fits. */
    boolean recognises(byte[] first);

    SessionSource source(Path file);
}
