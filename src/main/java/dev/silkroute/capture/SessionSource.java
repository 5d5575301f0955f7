package dev.silkroute.capture;

/** A capture format as a set of sessions. */
interface SessionSource {
    /** One pass over the file; fails when there is no session in it at all. */
    Survey survey() throws CaptureException;

    SessionReader read(CaptureSession session) throws CaptureException;
}
