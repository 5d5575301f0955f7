/**
 * The live stream as part of the station: where its lane reads {@code bmp.routes}, its connections (server-sent events
 * and the WebSocket of RIS Live's protocol, both on Vert.x event loops without a thread of their own), its limits,
 * readiness and metrics. {@code dev.silkroute.live} decides what a subscriber receives.
 */
@NullMarked
package dev.silkroute.app.live;

import org.jspecify.annotations.NullMarked;
