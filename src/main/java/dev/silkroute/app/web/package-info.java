/**
 * The station's REST API: status, routers, peers, lookups, quarantine and flow records, with errors as problem details
 * (RFC 9457); and its health checks. Resources read the database, Kafka and, through Camel, the RIB; none of them
 * writes to the database.
 */
@NullMarked
package dev.silkroute.app.web;

import org.jspecify.annotations.NullMarked;
