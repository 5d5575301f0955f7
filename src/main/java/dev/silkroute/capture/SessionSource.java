package dev.silkroute.capture;

/** A capture format as a set of sessions. */
public interface SessionSource {
    /** One pass over the file; fails when there is no session in it at all. */
    Survey survey() throws CaptureException;

    /** Reads a session of the survey from its first byte; nobody reads more of it than the survey has counted. */
    SessionReader read(CaptureSession session) throws CaptureException;
}
