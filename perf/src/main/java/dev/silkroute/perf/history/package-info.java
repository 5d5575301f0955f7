/**
 * Scenario {@code history}: announcements and withdrawals to durable rows, by the station's history lane, psql's
 * {@code \copy}, JDBC batches, and into jBMP's table by binary COPY.
 */
@NullMarked
package dev.silkroute.perf.history;

import org.jspecify.annotations.NullMarked;
