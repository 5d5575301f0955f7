package dev.silkroute.app.config;

/** Which router may use a name that routers claim in their messages: {@code silkroute.router-name-policy}. */
public enum RouterNamePolicy {
    /** The address that used it first, until its routes have been purged. */
    FIRST_SEEN,
    /** The address that used it first, until the operator releases it. */
    PIN,
    /** None: routers without a configured or certified name are identified by their address. */
    CONFIGURED_ONLY
}
