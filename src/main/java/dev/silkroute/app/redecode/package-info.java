/**
 * Decoding again what is kept on {@code bmp.raw}: quarantined messages, or a range of time. Reads the topic and the database,
 * feeds {@link dev.silkroute.session.Redecoder} and sends what comes out to Kafka; knows nothing of the command line.
 */
@NullMarked
package dev.silkroute.app.redecode;

import org.jspecify.annotations.NullMarked;
