package dev.silkroute.component.bmp;

import java.util.Locale;
import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;

/** The component {@code bmp:}: {@code bmp:start}, {@code bmp:raw}, {@code bmp:decode}, {@code bmp:routes}. */
@Component("bmp")
public final class BmpComponent extends DefaultComponent {
    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) {
        for (BmpOperation operation : BmpOperation.values()) {
            if (operation.name().toLowerCase(Locale.ROOT).equals(remaining)) {
                return new BmpEndpoint(uri, this, operation);
            }
        }
        throw new IllegalArgumentException(
                "bmp:" + remaining + " is not known; there are bmp:start, bmp:raw, bmp:decode, bmp:routes");
    }
}
