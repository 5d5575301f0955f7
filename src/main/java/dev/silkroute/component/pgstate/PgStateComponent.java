package dev.silkroute.component.pgstate;

import java.util.Map;
import javax.sql.DataSource;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;
import org.jspecify.annotations.Nullable;

/** The component {@code pgstate:}. */
@Component("pgstate")
public class PgStateComponent extends DefaultComponent {
    @Metadata(description = "The database of endpoints that name none themselves", autowired = true)
    private @Nullable DataSource dataSource;

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        PgStateConfiguration configuration = new PgStateConfiguration();
        configuration.setOperation(remaining);
        PgStateEndpoint endpoint = new PgStateEndpoint(uri, this, configuration);
        setProperties(endpoint, parameters);
        return endpoint;
    }

    public @Nullable DataSource getDataSource() {
        return dataSource;
    }

    public void setDataSource(@Nullable DataSource dataSource) {
        this.dataSource = dataSource;
    }
}
