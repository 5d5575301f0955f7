package dev.silkroute.rpki.rtr;

/** The cache has a lower version than the query. A new connection with that version is needed (RFC 8210, Section 7). */
public final class VersionException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int version;

    /** @param reason what the cache has done, a verb with its object */
    VersionException(int version, String reason) {
        super("the cache " + reason + "; version " + version + " is tried next");
        this.version = version;
    }

    /** Returns the version to use. */
    public int version() {
        return version;
    }
}
