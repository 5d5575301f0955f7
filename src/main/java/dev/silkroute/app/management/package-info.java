/**
 * The management interface: an HTTP port of its own, on loopback unless configured otherwise, that serves health and
 * metrics (by Quarkus), the Hawtio console at {@code /hawtio}, and JMX over HTTP (Jolokia) at {@code /hawtio/jolokia}.
 *
 * <p>Roles: a viewer reads MBeans, an operator also writes attributes and executes operations, which the log records.
 * {@link dev.silkroute.app.management.ConsoleAccess} decides who has which: users of a file, or, on a loopback address
 * without such a file, everyone on this machine. Requests that a browser makes for a page of another site are rejected
 * ({@link dev.silkroute.app.http.RequestOrigin}).
 *
 * <p>Jolokia runs inside the station and has no port of its own.
 */
@NullMarked
package dev.silkroute.app.management;

import org.jspecify.annotations.NullMarked;
