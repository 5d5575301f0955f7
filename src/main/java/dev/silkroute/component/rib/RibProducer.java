package dev.silkroute.component.rib;

import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.support.DefaultProducer;

/** Runs the operation of an endpoint. */
class RibProducer extends DefaultProducer {
    private final Processor operation;

    RibProducer(RibEndpoint endpoint, Processor operation) {
        super(endpoint);
        this.operation = operation;
    }

    @Override
    public void process(Exchange exchange) throws Exception {
        operation.process(exchange);
    }
}
