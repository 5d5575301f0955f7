/**
 * The command {@code redecode}: decodes quarantined messages, or a time range of {@code bmp.raw}, again. It reads the
 * topic and the database, feeds {@link dev.silkroute.session.Redecoder} and sends the results to Kafka.
 */
@NullMarked
package dev.silkroute.app.redecode;

import org.jspecify.annotations.NullMarked;
