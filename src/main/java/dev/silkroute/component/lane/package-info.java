/**
 * Consumers of lanes: how a lane reads its topic, bounded in bytes, and where it keeps its offsets.
 *
 * <p>May use {@code postgres} and Camel with camel-kafka.
 */
@NullMarked
package dev.silkroute.component.lane;

import org.jspecify.annotations.NullMarked;
