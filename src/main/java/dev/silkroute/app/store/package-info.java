/**
 * The beans of the writer role that the packaged routes name: the sources of rows of the bulk lanes, maintenance and
 * its metrics, the pool of pipelined connections, and the gauges of the lanes' lag.
 */
@NullMarked
package dev.silkroute.app.store;

import org.jspecify.annotations.NullMarked;
