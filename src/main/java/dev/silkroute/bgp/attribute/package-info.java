/**
 * Path attributes: what is right, the canonical set, fields, text, JSON. May use {@code bgp}, {@code net} and the JDK.
 */
@NullMarked
package dev.silkroute.bgp.attribute;

import org.jspecify.annotations.NullMarked;
