/** The collector role: the beans that {@code collector.camel.yaml} refers to, their settings and metrics. */
@NullMarked
package dev.silkroute.app.collector;

import org.jspecify.annotations.NullMarked;
