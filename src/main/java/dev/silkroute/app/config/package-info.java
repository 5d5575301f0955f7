/**
 * What a start is told: settings from options, properties and environment, and the errors of use that end it. Uses the JDK, and of Kafka's clients the names of their
 * settings.
 */
@NullMarked
package dev.silkroute.app.config;

import org.jspecify.annotations.NullMarked;
