/**
 * The records of a shard: routes, the lists of the routes of a key, attribute sets, keys of NLRI that are not prefixes,
 * and {@link dev.silkroute.rib.store.Stores}, which holds one of each together with the tries.
 *
 * <p>Uses {@code peer}, {@code trie} and {@code memory}.
 */
@NullMarked
package dev.silkroute.rib.store;

import org.jspecify.annotations.NullMarked;
