/**
 * Camel skin of the {@code session} room: the frame decoder for camel-netty ({@code decoders=#bmpFrames}), the
 * component {@code bmp:} that turns batches of frames into lanes and records of the lanes into single routes, JSON or
 * OpenBMP's form, and the route policy that gives back-pressure to the socket.
 *
 * <p>May use {@code session} and what it stands on, Netty, Camel and Jackson. Does not depend on other components.
 */
@NullMarked
package dev.silkroute.component.bmp;

import org.jspecify.annotations.NullMarked;
