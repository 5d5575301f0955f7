/** The collector role's beans: what {@code collector.camel.yaml} refers to, its bounds and its meters. */
@NullMarked
package dev.silkroute.app.collector;

import org.jspecify.annotations.NullMarked;
