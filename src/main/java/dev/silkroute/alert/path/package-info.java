/**
 * AS paths and the values with which alert rules compare them: the paths of a batch and those that neighbors have sent,
 * conditions on paths, and relations between ASes.
 */
@NullMarked
package dev.silkroute.alert.path;

import org.jspecify.annotations.NullMarked;
