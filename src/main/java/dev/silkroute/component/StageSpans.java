package dev.silkroute.component;

import org.apache.camel.Exchange;

/**
 * Reports to traces how long a stage within a component takes. The steps of a route are reported without it.
 * Thread-safe.
 */
@FunctionalInterface
public interface StageSpans {
    /** Nothing is traced. */
    StageSpans NONE = (exchange, name) -> () -> {};

    /** A stage that has begun. */
    @FunctionalInterface
    interface Stage extends AutoCloseable {
        /** Called once, when the stage has ended. */
        @Override
        void close();
    }

    /** Begins a stage of an exchange; does nothing if the exchange is not traced. */
    Stage start(Exchange exchange, String name);
}
