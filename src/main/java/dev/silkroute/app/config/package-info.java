/**
 * The station's configuration from options, properties, environment variables and a file, and the error that reports an
 * invalid one. {@link dev.silkroute.app.config.StationConfig} has all keys. Uses SmallRye Config as Quarkus does, and
 * Kafka's clients for the names of their settings, and Vert.x to parse PEM files.
 */
@NullMarked
package dev.silkroute.app.config;

import org.jspecify.annotations.NullMarked;
