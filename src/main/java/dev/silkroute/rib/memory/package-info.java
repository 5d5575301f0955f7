/**
 * Off-object memory of the RIB: slabs of ints and bytes in heap arrays that never move, a hash index over them, and the epochs and queue by which a writer
 * frees what no reader can reach any more. One thread writes each of these structures; readers use no locks.
 *
 * <p>Uses {@code net} only.
 */
@NullMarked
package dev.silkroute.rib.memory;

import org.jspecify.annotations.NullMarked;
