/** The REST API of a station under the load of {@code h2load}, beside changes. */
@NullMarked
package dev.silkroute.perf.http;

import org.jspecify.annotations.NullMarked;
