/**
 * The requests that the HTTP port accepts: those for a name of the station, from its own pages or from no page, and,
 * where it is required, with the token. Also TLS and the compression of responses. Uses the configuration only.
 */
@NullMarked
package dev.silkroute.app.http;

import org.jspecify.annotations.NullMarked;
