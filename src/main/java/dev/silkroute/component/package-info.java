/**
 * The Camel components of the station, one in each package below this one, and what several of them use. A component
 * gives a part of the product a Camel URI; only routes combine components, which do not depend on each other.
 */
@NullMarked
package dev.silkroute.component;

import org.jspecify.annotations.NullMarked;
