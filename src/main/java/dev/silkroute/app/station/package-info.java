/**
 * The command {@code run}: starts a station and stops it. A start brings up the embedded servers or checks the
 * external ones, creates topics, migrates the schema and boots Quarkus with the routes; a stop does the opposite in
 * the opposite order. Other commands use {@link Database} and {@link StationFile}.
 */
@NullMarked
package dev.silkroute.app.station;

import org.jspecify.annotations.NullMarked;
