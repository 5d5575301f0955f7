package dev.silkroute.component.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RouteCondition;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.support.DefaultEndpoint;
import org.jspecify.annotations.Nullable;

/** Applies route batches to the RIB in memory, and queries it. */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "rib",
        title = "RIB in memory",
        syntax = "rib:operation",
        producerOnly = true,
        category = {Category.NETWORKING},
        headersClass = RibConstants.class)
public class RibEndpoint extends DefaultEndpoint {
    @UriParam
    private final RibConfiguration configuration;

    public RibEndpoint(String uri, RibComponent component, RibConfiguration configuration) {
        super(uri, component);
        this.configuration = configuration;
    }

    public RibConfiguration getConfiguration() {
        return configuration;
    }

    @Override
    public Producer createProducer() {
        Rib rib = rib();
        return switch (configuration.getOperation()) {
            case APPLY ->
                new ApplyProducer(
                        this,
                        new Apply(rib, configuration.getOffsets(), configuration.isChanges()),
                        new Purge(
                                rib,
                                configuration.getBatchSize(),
                                configuration.getStaleTimeout(),
                                configuration.getResyncTimeout(),
                                configuration.getOffsets()));
            case FIND ->
                new RibProducer(this, new Find(rib, view(), configuration.getOffsets(), configuration.getLimit()));
            case LOOKUP -> new RibProducer(this, new Lookup(rib, view(), configuration.getOffsets()));
            case ENRICH -> new RibProducer(this, new Enrich(rib, condition(), configuration));
        };
    }

    private RouteCondition condition() {
        RibView view = view();
        return view == null ? RouteCondition.ANY : RouteCondition.in(view);
    }

    private @Nullable RibView view() {
        String wanted = configuration.getView();
        return wanted == null || wanted.isEmpty() ? null : RibView.of(wanted);
    }

    private Rib rib() {
        Rib given = configuration.getRib();
        if (given == null) {
            given = ((RibComponent) getComponent()).getRib();
        }
        if (given == null) {
            given = getCamelContext().getRegistry().lookupByNameAndType("rib", Rib.class);
        }
        return given != null ? given : CamelContextHelper.mandatoryFindSingleByType(getCamelContext(), Rib.class);
    }

    @Override
    public Consumer createConsumer(@Nullable Processor processor) {
        throw new UnsupportedOperationException("rib: endpoints have no consumer");
    }
}
