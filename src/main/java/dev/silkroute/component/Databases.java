package dev.silkroute.component;

import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.apache.camel.support.CamelContextHelper;
import org.jspecify.annotations.Nullable;

/** Finds the databases of endpoints. */
public final class Databases {
    private Databases() {}

    /** Returns the endpoint's own database, else its component's, else the only one in the registry. */
    public static DataSource find(@Nullable DataSource own, @Nullable DataSource ofComponent, CamelContext camel) {
        if (own != null) {
            return own;
        }
        return ofComponent != null
                ? ofComponent
                : CamelContextHelper.mandatoryFindSingleByType(camel, DataSource.class);
    }
}
