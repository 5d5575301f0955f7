/**
 * The write side of a shard: events of route batches change peers, tables and routes, and purging removes what is no
 * longer valid. Only the thread that applies a batch runs this code.
 *
 * <p>Uses {@code store}, {@code peer}, {@code trie} and {@code memory}.
 */
@NullMarked
package dev.silkroute.rib.apply;

import org.jspecify.annotations.NullMarked;
