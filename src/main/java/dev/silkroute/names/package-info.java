/**
 * Labels of routers and peers, and names of autonomous systems, from local files.
 *
 * <p>{@link dev.silkroute.names.Labels} and {@link dev.silkroute.names.AsNames} are immutable, so that readers need no
 * lock while a new file is loaded. Their readers bound the size of a file and reject what is not valid. The package
 * uses net only, and is independent of Camel, Quarkus and clocks.
 */
@NullMarked
package dev.silkroute.names;

import org.jspecify.annotations.NullMarked;
