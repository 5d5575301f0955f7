/** What a start is told: settings from options, properties and environment, and the errors of use that end it. Uses the JDK only. */
@NullMarked
package dev.silkroute.app.config;

import org.jspecify.annotations.NullMarked;
