/**
 * Memory of the RIB in plain arrays: slabs of records, ints and bytes, a hash index over them, and the epochs and the
 * queue by which the writer frees what no reader can reach any more.
 *
 * <p>Each of these structures has one writer thread. Readers use no locks: they see what the writer published with a
 * release store, and memory that was unlinked is reused only after every reader that might have seen it has left its
 * section.
 *
 * <p>Uses {@code net} only.
 */
@NullMarked
package dev.silkroute.rib.memory;

import org.jspecify.annotations.NullMarked;
