/**
 * Settings from options, properties and environment variables, and the error that reports an invalid one. Uses the
 * JDK, and Kafka's clients for the names of their settings.
 */
@NullMarked
package dev.silkroute.app.config;

import org.jspecify.annotations.NullMarked;
