/**
 * Start and stop of a station: embedded or given servers, topics, schema, then Quarkus with its routes; and the way back.
 */
@NullMarked
package dev.silkroute.app.station;

import org.jspecify.annotations.NullMarked;
