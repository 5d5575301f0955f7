/** NLRI of every family: where one ends, its fields, its canonical text. May use {@code bgp}, {@code net} and the JDK. */
@NullMarked
package dev.silkroute.bgp.nlri;

import org.jspecify.annotations.NullMarked;
