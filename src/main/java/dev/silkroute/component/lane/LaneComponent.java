package dev.silkroute.component.lane;

import dev.silkroute.component.SetBackClock;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;
import org.jspecify.annotations.Nullable;

/**
 * The component {@code lane:topic}. How Kafka is reached, its brokers and security, is configured at the component
 * {@code kafka:}, which does the reading.
 */
@Component("lane")
public class LaneComponent extends DefaultComponent {
    @Metadata(description = "The database of lanes that do not name one", autowired = true)
    private @Nullable DataSource dataSource;

    @Metadata(defaultValue = "lane_offset", description = "The table with the offsets of lanes that do not name one")
    private String offsetTable = "lane_offset";

    @Metadata(
            defaultValue = "10s",
            javaType = "java.time.Duration",
            description = "How long Kafka waits for a heartbeat of a lane with offsets in the database, before it"
                    + " assigns the lane's partitions to another consumer")
    private Duration sessionTimeout = Duration.ofSeconds(10);

    private final LaneConsumers consumers = new LaneConsumers();
    private final SetBackClock clock = new SetBackClock(Clock.systemUTC(), System::nanoTime, consumers::clockSetBack);
    private @Nullable ScheduledExecutorService checks;

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        checks = getCamelContext()
                .getExecutorServiceManager()
                .newSingleThreadScheduledExecutor(this, "silkroute-lane-clock");
        long interval = SetBackClock.INTERVAL.toMillis();
        checks.scheduleAtFixedRate(clock::check, interval, interval, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void doStop() throws Exception {
        if (checks != null) {
            getCamelContext().getExecutorServiceManager().shutdownNow(checks);
        }
        super.doStop();
    }

    LaneConsumers consumers() {
        return consumers;
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        LaneConfiguration configuration = new LaneConfiguration();
        configuration.setTopic(remaining);
        configuration.setOffsetTable(offsetTable);
        LaneEndpoint endpoint = new LaneEndpoint(uri, this, configuration);
        setProperties(endpoint, parameters);
        return endpoint;
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

    public Duration getSessionTimeout() {
        return sessionTimeout;
    }

    public void setSessionTimeout(Duration sessionTimeout) {
        this.sessionTimeout = sessionTimeout;
    }
}
