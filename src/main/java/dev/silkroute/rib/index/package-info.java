/**
 * The index of path attributes: which routes have an origin AS, an AS in their path, a community. {@link
 * dev.silkroute.rib.index.AttributeIndex} is that of a shard. It is made by the first query that uses it and
 * brought up to date by each later one, so the writer does nothing for it but record which pages it has changed.
 *
 * <p>Uses {@code store} and what that uses.
 */
@NullMarked
package dev.silkroute.rib.index;

import org.jspecify.annotations.NullMarked;
