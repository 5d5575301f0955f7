/**
 * The Camel skin of {@code collector} and {@code session}: the frame handler for camel-netty ({@code
 * decoders=#bmpFrames}), the component {@code bmp:}, whose operations {@link dev.silkroute.component.bmp.BmpOperation}
 * lists, and the route policy that releases a batch's memory when its exchange is complete.
 *
 * <p>May use {@code collector}, {@code session} and the packages that they use, Netty, Camel and Jackson. Does not
 * depend on other components.
 */
@NullMarked
package dev.silkroute.component.bmp;

import org.jspecify.annotations.NullMarked;
