package dev.silkroute.component.pgcopy;

import java.util.Map;
import javax.sql.DataSource;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;
import org.jspecify.annotations.Nullable;

/** The component {@code pgcopy:table}. */
@Component("pgcopy")
public class PgCopyComponent extends DefaultComponent {
    @Metadata(description = "The database of endpoints that do not name one", autowired = true)
    private @Nullable DataSource dataSource;

    @Metadata(defaultValue = "lane_offset", description = "The table with the offsets of lanes that do not name one")
    private String offsetTable = "lane_offset";

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        PgCopyConfiguration configuration = new PgCopyConfiguration();
        configuration.setTable(remaining);
        configuration.setOffsetTable(offsetTable);
        PgCopyEndpoint endpoint = new PgCopyEndpoint(uri, this, configuration);
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
}
