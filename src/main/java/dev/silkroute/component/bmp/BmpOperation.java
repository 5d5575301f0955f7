package dev.silkroute.component.bmp;

import dev.silkroute.collector.transport.FrameBatch;

/** The operation of a {@code bmp:} endpoint. */
public enum BmpOperation {
    /**
     * In: a {@link FrameBatch}. Out: its messages verbatim as at most one Kafka record, with the headers collector,
     * router, router_address, session, sequence, received and the Kafka key; no record if there is no message.
     */
    RAW,
    /**
     * In: a {@link FrameBatch}, or what {@link #RAW} made of it. Out: an iterator of messages, one per lane that has
     * something, and more of large batches, which are decoded in portions while it is read. Each has the header
     * {@code lane} (routes, peers, stats, mirror, quarantine) and the Kafka key; the body is {@code byte[]} for routes,
     * a list of JSON texts for the others.
     */
    DECODE,
    /**
     * Out: {@link LaneRecords} that report the start of this collector: earlier sessions of collectors of its name
     * have ended. The first are for routes and peers, the others for peers.
     */
    START,
    /**
     * In: a record of {@code bmp.routes}. Out: a list of {@link dev.silkroute.route.view.RouteEvent}, for steps that
     * process single routes.
     */
    ROUTES,
    /**
     * In: a record of {@code bmp.routes}, or a batching consumer's list of them. Out: one message per event, in
     * JSON with the record's key; an {@link Iterable} that {@code kafka:} can send.
     */
    JSON,
    /**
     * In: a record of {@code bmp.raw} with its headers, or a batching consumer's list of them. Out: one message per
     * BMP message, after OpenBMP's binary header, in the same form.
     */
    OPENBMP
}
