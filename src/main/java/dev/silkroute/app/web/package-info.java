/** The station over HTTP: status, routers, peers, lookups, quarantine, flow records; health; errors as problem details (RFC 9457). */
@NullMarked
package dev.silkroute.app.web;

import org.jspecify.annotations.NullMarked;
