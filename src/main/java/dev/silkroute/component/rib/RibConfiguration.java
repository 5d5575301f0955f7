package dev.silkroute.component.rib;

import dev.silkroute.component.StaleTimeouts;
import dev.silkroute.names.AsNameSource;
import dev.silkroute.rib.Rib;
import dev.silkroute.rpki.RouteValidity;
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
    @UriPath(description = "apply, lookup, find or enrich", enums = "apply,lookup,find,enrich")
    @Metadata(required = true)
    private RibOperation operation = RibOperation.LOOKUP;

    @UriParam(description = "The RIB. Default: the one in the registry that is named rib, or the only one")
    private @Nullable Rib rib;

    @UriParam(
            description =
                    "A RibOffsets. apply: keeps the offsets up to which the RIB has applied its topics, so that repeated records are skipped, and ends no stale routes until the RIB has been loaded. lookup, find, enrich: fail with RibNotReady until then")
    private @Nullable RibOffsets offsets;

    @UriParam(
            description =
                    "apply: reports in the header changes of each record what each event of its batch has changed")
    private boolean changes;

    @UriParam(
            defaultValue = "100000",
            description = "apply: how many ended routes are removed from memory each second, approximately")
    private long batchSize = 100_000;

    @UriParam(
            defaultValue = StaleTimeouts.STALE_TEXT,
            description =
                    "apply: how long the routes of a router without a session are kept as stale. The default is the component's.")
    private Duration staleTimeout = StaleTimeouts.STALE;

    @UriParam(
            defaultValue = StaleTimeouts.RESYNC_TEXT,
            description =
                    "apply: how long the routes of a peer that the router's new session does not report are kept as stale. The default is the component's.")
    private Duration resyncTimeout = StaleTimeouts.RESYNC;

    @UriParam(description = "lookup, find, enrich: only routes of this RIB view, such as loc-rib. Default: all views")
    private @Nullable String view;

    @UriParam(defaultValue = "1000", description = "find: maximum number of routes of an answer")
    private int limit = 1000;

    @UriParam(
            defaultValue = "src_addr,SrcAddr,ip_src",
            description =
                    "enrich: field with the source address. In each option with names of fields, the first one that has a value in a record counts; the defaults are those of goflow2, Akvorado and pmacct")
    private String source = "src_addr,SrcAddr,ip_src";

    @UriParam(defaultValue = "dst_addr,DstAddr,ip_dst", description = "enrich: field with the destination address")
    private String destination = "dst_addr,DstAddr,ip_dst";

    @UriParam(
            defaultValue = "sampler_address,ExporterAddress,peer_ip_src",
            description = "enrich: field with the address of the router that exported the record")
    private String exporter = "sampler_address,ExporterAddress,peer_ip_src";

    @UriParam(
            defaultValue = "next_hop,NextHop,peer_ip_dst",
            description = "enrich: field with the next hop that the exporter used")
    private String nextHop = "next_hop,NextHop,peer_ip_dst";

    @UriParam(
            description =
                    "enrich: a RouteValidity, such as the bean rpki, from which records get the validity of their routes by RPKI. Default: none")
    private @Nullable RouteValidity validity;

    @UriParam(
            description =
                    "enrich: an AsNameSource, such as the bean names, from which records get the names of their origin AS. Default: none")
    private @Nullable AsNameSource names;

    @UriParam(
            description =
                    "enrich: leaves out records that are not JSON objects or have an invalid source or destination address, and reports them in the header RibRejections")
    private boolean strict;

    @UriParam(
            defaultValue = "8384512",
            description =
                    "enrich: maximum size of a JSON record in bytes, as Kafka accepts it. A record that would be larger is passed on unchanged, or left out if it is too large already or strict is set")
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

    public @Nullable RibOffsets getOffsets() {
        return offsets;
    }

    public void setOffsets(@Nullable RibOffsets offsets) {
        this.offsets = offsets;
    }

    public boolean isChanges() {
        return changes;
    }

    public void setChanges(boolean changes) {
        this.changes = changes;
    }

    public long getBatchSize() {
        return batchSize;
    }

    public void setBatchSize(long batchSize) {
        this.batchSize = batchSize;
    }

    public Duration getStaleTimeout() {
        return staleTimeout;
    }

    public void setStaleTimeout(Duration staleTimeout) {
        this.staleTimeout = staleTimeout;
    }

    public Duration getResyncTimeout() {
        return resyncTimeout;
    }

    public void setResyncTimeout(Duration resyncTimeout) {
        this.resyncTimeout = resyncTimeout;
    }

    public @Nullable String getView() {
        return view;
    }

    public void setView(@Nullable String view) {
        this.view = view;
    }

    public int getLimit() {
        return limit;
    }

    public void setLimit(int limit) {
        this.limit = limit;
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

    public @Nullable RouteValidity getValidity() {
        return validity;
    }

    public void setValidity(@Nullable RouteValidity validity) {
        this.validity = validity;
    }

    public @Nullable AsNameSource getNames() {
        return names;
    }

    public void setNames(@Nullable AsNameSource names) {
        this.names = names;
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
