/**
 * The Camel component {@code lane:}, consumer only: a Kafka topic in batches of bounded size, read from offsets that
 * are kept in PostgreSQL (exactly once, together with {@code pgcopy:}), in the Kafka consumer group (at least once)
 * or in a bean.
 *
 * <p>Uses camel-kafka, whose consumer does the reading, and the lanes' part of {@code postgres}; it depends on no
 * other component and works in any Camel application. Options are documented in {@code docs/reference/lane.md}.
 */
@NullMarked
package dev.silkroute.component.lane;

import org.jspecify.annotations.NullMarked;
