package dev.silkroute.capture;

/** The sessions of a capture file. */
public interface SessionSource {
    /** Reads the file once. Fails if it contains no session. */
    Survey survey() throws CaptureException;

    /** Opens a session of the survey at its first byte. The caller reads no more than {@link CaptureSession#bytes}. */
    SessionReader read(CaptureSession session) throws CaptureException;
}
