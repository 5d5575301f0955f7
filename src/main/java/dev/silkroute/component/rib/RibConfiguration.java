package dev.silkroute.component.rib;

import dev.silkroute.rib.Rib;
import java.time.Duration;
import org.apache.camel.spi.Configurer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.apache.camel.spi.UriPath;
import org.jspecify.annotations.Nullable;

/** The options of a {@code rib:} endpoint. */
@UriParams
@Configurer
public class RibConfiguration {
    @UriPath(description = "apply, sweep, lookup or enrich", enums = "apply,sweep,lookup,enrich")
    @Metadata(required = true)
    private RibOperation operation = RibOperation.LOOKUP;

    @UriParam(description = "The RIB. Without: the one of the registry that is named rib, or is the only one")
    private @Nullable Rib rib;

    @UriParam(
            description =
                    "A RibPlaces. apply: keeps where the RIB stands in its topics, so that records that come again are passed over. lookup, enrich: fail with RibNotReady until the RIB has been read. sweep: ends nothing until then")
    private @Nullable RibPlaces places;

    @UriParam(description = "apply: says in each record's header changes what each event of its batch has changed")
    private boolean changes;

    @UriParam(defaultValue = "100000", description = "sweep: about how many routes to take away at a time")
    private long slice = 100_000;

    @UriParam(
            defaultValue = "24h",
            description = "sweep: how long a router's routes stay, stale, after the loss of its session")
    private Duration withdrawAfter = Duration.ofHours(24);

    @UriParam(
            defaultValue = "30m",
            description =
                    "sweep: how long the routes of a peer stay, stale, that the router's new session doesn't mention")
    private Duration unmentionedAfter = Duration.ofMinutes(30);

    @UriParam(description = "lookup, enrich: only routes of this RIB view, such as loc-rib. Without: of all views")
    private @Nullable String view;

    @UriParam(defaultValue = "src_addr", description = "enrich: field with the source's address")
    private String source = "src_addr";

    @UriParam(defaultValue = "dst_addr", description = "enrich: field with the destination's address")
    private String destination = "dst_addr";

    @UriParam(
            defaultValue = "sampler_address",
            description = "enrich: field with the address of the router that exported the record")
    private String exporter = "sampler_address";

    @UriParam(defaultValue = "next_hop", description = "enrich: field with the next hop that the exporter has used")
    private String nextHop = "next_hop";

    @UriParam(
            description =
                    "enrich: leaves out what is no JSON object, or has a source or destination that is no address, and tells of each in the header RibRefusals")
    private boolean strict;

    @UriParam(
            defaultValue = "8384512",
            description =
                    "enrich: most bytes of a record of JSON, as many as Kafka takes. One that would be larger goes on as it came, or is left out if it came so; with strict it is always left out")
    private int maxBytes = (8 << 20) - (4 << 10);

    public RibOperation getOperation() {
        return operation;
    }

    public void setOperation(RibOperation operation) {
        this.operation = operation;
    }

    public @Nullable Rib getRib() {
        return rib;
    }

    public void setRib(@Nullable Rib rib) {
        this.rib = rib;
    }

    public @Nullable RibPlaces getPlaces() {
        return places;
    }

    public void setPlaces(@Nullable RibPlaces places) {
        this.places = places;
    }

    public boolean isChanges() {
        return changes;
    }

    public void setChanges(boolean changes) {
        this.changes = changes;
    }

    public long getSlice() {
        return slice;
    }

    public void setSlice(long slice) {
        this.slice = slice;
    }

    public Duration getWithdrawAfter() {
        return withdrawAfter;
    }

    public void setWithdrawAfter(Duration withdrawAfter) {
        this.withdrawAfter = withdrawAfter;
    }

    public Duration getUnmentionedAfter() {
        return unmentionedAfter;
    }

    public void setUnmentionedAfter(Duration unmentionedAfter) {
        this.unmentionedAfter = unmentionedAfter;
    }

    public @Nullable String getView() {
        return view;
    }

    public void setView(@Nullable String view) {
        this.view = view;
    }

    public String getSource() {
        return source;
    }

    public void setSource(String source) {
        this.source = source;
    }

    public String getDestination() {
        return destination;
    }

    public void setDestination(String destination) {
        this.destination = destination;
    }

    public String getExporter() {
        return exporter;
    }

    public void setExporter(String exporter) {
        this.exporter = exporter;
    }

    public String getNextHop() {
        return nextHop;
    }

    public void setNextHop(String nextHop) {
        this.nextHop = nextHop;
    }

    public boolean isStrict() {
        return strict;
    }

    public void setStrict(boolean strict) {
        this.strict = strict;
    }

    public int getMaxBytes() {
        return maxBytes;
    }

    public void setMaxBytes(int maxBytes) {
        this.maxBytes = maxBytes;
    }
}
