package dev.silkroute.component.bmp;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;

/** The component {@code bmp:}, whose operations {@link BmpOperation} lists. */
@Component("bmp")
public final class BmpComponent extends DefaultComponent {
    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        BmpConfiguration configuration = new BmpConfiguration();
        configuration.setOperation(operation(remaining));
        BmpEndpoint endpoint = new BmpEndpoint(uri, this, configuration);
        setProperties(endpoint, parameters);
        return endpoint;
    }

    private static BmpOperation operation(String name) {
        for (BmpOperation operation : BmpOperation.values()) {
            if (operation.name().toLowerCase(Locale.ROOT).equals(name)) {
                return operation;
            }
        }
        throw new IllegalArgumentException("bmp:" + name + " is not supported: the operations are "
                + Arrays.toString(BmpOperation.values()).toLowerCase(Locale.ROOT));
    }
}
