/** The station over HTTP: status, routers, peers; health; errors as problem details (RFC 9457). */
@NullMarked
package dev.silkroute.app.web;

import org.jspecify.annotations.NullMarked;
