package dev.silkroute.component.lane;

import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.apache.camel.spi.Configurer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.apache.camel.spi.UriPath;
import org.jspecify.annotations.Nullable;

/** The options of a {@code lane:} endpoint. */
@UriParams
@Configurer
public class LaneConfiguration {
    /** The lane's offsets are in PostgreSQL, moved on in the transaction that stores its records. */
    static final String DATABASE = "database";

    /**
     * The lane's offsets are those of its Kafka consumer group, committed when the exchange of a batch has completed.
     */
    static final String KAFKA = "kafka";

    @UriPath(
            description =
                    "The Kafka topic that the lane reads. A lane with its offsets elsewhere than in the database may"
                            + " read several, separated by commas; the order of records is kept within a topic only.")
    @Metadata(required = true)
    private String topic = "";

    @UriParam(
            description = "The name of the lane, which identifies its offsets. A pgcopy: endpoint that stores the"
                    + " lane's records has the same name in its own option lane.")
    @Metadata(required = true)
    private String lane = "";

    @UriParam(
            enums = "database,kafka",
            defaultValue = "database",
            javaType = "java.lang.Object",
            description = "Where the lane keeps its offsets. database: in PostgreSQL, written by pgcopy: in the"
                    + " transaction that stores the records, so that each record is stored exactly once. kafka: in the"
                    + " Kafka consumer group, committed when the route has completed a batch, so that each record is"
                    + " processed at least once. #bean: in a bean that implements OffsetStore.")
    private Object offsets = DATABASE;

    @UriParam(
            description = "Offsets in the database: the DataSource. The default is the component's, or else the only"
                    + " DataSource in the registry.")
    private @Nullable DataSource dataSource;

    @UriParam(
            defaultValue = "lane_offset",
            description = "Offsets in the database: the table that holds them, with or without its schema. The default"
                    + " is the component's.")
    private String offsetTable = "lane_offset";

    @UriParam(description = "The Kafka consumer group. The default is silkroute- followed by the lane's name.")
    private @Nullable String groupId;

    @UriParam(
            defaultValue = "1",
            description = "How many consumers read the topic in parallel, each on a thread of its own. More consumers"
                    + " than partitions have nothing to read.")
    private int consumers = 1;

    @UriParam(defaultValue = "1000", description = "The maximum number of records in a batch")
    private int batchRecords = 1000;

    @UriParam(
            defaultValue = "8388608",
            description = "The maximum size of a batch in bytes, after decompression; up to four records more are"
                    + " added to it. The consumer reads ahead as much again while a batch is being processed.")
    private long batchBytes = 8 << 20;

    @UriParam(
            defaultValue = "250",
            description =
                    "The longest time that records wait for their batch to fill, in milliseconds or as 2s. A lane that reads more than"
                            + " batchBytes in this time pauses until it is over.")
    private Duration batchInterval = Duration.ofMillis(250);

    @UriParam(
            description = "How long no records arrive until the route is run with an empty list, and how often while"
                    + " that lasts, in milliseconds or as 2s. The default is never.")
    private @Nullable Duration idleInterval;

    @UriParam(
            description = "The maximum number of bytes that Kafka returns for one fetch, as stored, that is"
                    + " compressed. The default is half of batchBytes.")
    private @Nullable Integer fetchBytes;

    @UriParam(
            description = "How long Kafka waits until it has fetchBytes for a fetch, in milliseconds or as 2s. Fewer"
                    + " fetches cost less CPU time, and records arrive later by up to this time. By default, Kafka"
                    + " returns what there is.")
    private @Nullable Duration fetchWait;

    @UriParam(
            description = "How long Kafka waits for a heartbeat before it assigns the lane's partitions to another"
                    + " consumer. The default is the component's for offsets in the database, where a false alarm costs"
                    + " a rebalance only, and that of the component kafka: otherwise.")
    private @Nullable Duration sessionTimeout;

    @UriParam(
            description = "How long a batch may be processed before Kafka assigns the lane's partitions to another"
                    + " consumer. The default is 5m for offsets in the database and 24h otherwise, because a route that"
                    + " retries until its target is available again would process the batch twice.")
    private @Nullable Duration maxPollInterval;

    @UriParam(defaultValue = "8s", description = "How long a stopping route waits for the batch being processed")
    private Duration shutdownTimeout = Duration.ofSeconds(8);

    public String getTopic() {
        return topic;
    }

    /** Returns the topics that the lane reads, one or several. */
    public List<String> topics() {
        return List.of(topic.split(",", -1));
    }

    public void setTopic(String topic) {
        this.topic = topic;
    }

    public String getLane() {
        return lane;
    }

    public void setLane(String lane) {
        this.lane = lane;
    }

    public Object getOffsets() {
        return offsets;
    }

    public void setOffsets(Object offsets) {
        this.offsets = offsets;
    }

    public @Nullable DataSource getDataSource() {
        return dataSource;
    }

    public void setDataSource(@Nullable DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public String getOffsetTable() {
        return offsetTable;
    }

    public void setOffsetTable(String offsetTable) {
        this.offsetTable = offsetTable;
    }

    public @Nullable String getGroupId() {
        return groupId;
    }

    public void setGroupId(@Nullable String groupId) {
        this.groupId = groupId;
    }

    public int getConsumers() {
        return consumers;
    }

    public void setConsumers(int consumers) {
        this.consumers = consumers;
    }

    public int getBatchRecords() {
        return batchRecords;
    }

    public void setBatchRecords(int batchRecords) {
        this.batchRecords = batchRecords;
    }

    public long getBatchBytes() {
        return batchBytes;
    }

    public void setBatchBytes(long batchBytes) {
        this.batchBytes = batchBytes;
    }

    public Duration getBatchInterval() {
        return batchInterval;
    }

    public void setBatchInterval(Duration batchInterval) {
        this.batchInterval = batchInterval;
    }

    public @Nullable Duration getIdleInterval() {
        return idleInterval;
    }

    public void setIdleInterval(@Nullable Duration idleInterval) {
        this.idleInterval = idleInterval;
    }

    public @Nullable Integer getFetchBytes() {
        return fetchBytes;
    }

    public void setFetchBytes(@Nullable Integer fetchBytes) {
        this.fetchBytes = fetchBytes;
    }

    public @Nullable Duration getFetchWait() {
        return fetchWait;
    }

    public void setFetchWait(@Nullable Duration fetchWait) {
        this.fetchWait = fetchWait;
    }

    public @Nullable Duration getSessionTimeout() {
        return sessionTimeout;
    }

    public void setSessionTimeout(@Nullable Duration sessionTimeout) {
        this.sessionTimeout = sessionTimeout;
    }

    public @Nullable Duration getMaxPollInterval() {
        return maxPollInterval;
    }

    public void setMaxPollInterval(@Nullable Duration maxPollInterval) {
        this.maxPollInterval = maxPollInterval;
    }

    public Duration getShutdownTimeout() {
        return shutdownTimeout;
    }

    public void setShutdownTimeout(Duration shutdownTimeout) {
        this.shutdownTimeout = shutdownTimeout;
    }
}
