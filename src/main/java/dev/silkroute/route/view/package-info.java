/**
 * Events as objects and as JSON: the one projection that topics, routes and the outbox of withdrawals share. May use
 * {@code route}, {@code rpki}, {@code bgp} and {@code net}.
 */
@NullMarked
package dev.silkroute.route.view;

import org.jspecify.annotations.NullMarked;
