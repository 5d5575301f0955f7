/**
 * The events of a batch as objects and as JSON: the one projection that topics and routes share. May use {@code route},
 * {@code bgp} and {@code net}.
 */
@NullMarked
package dev.silkroute.route.view;

import org.jspecify.annotations.NullMarked;
