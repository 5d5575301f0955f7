package dev.silkroute.component.bmp;

import dev.silkroute.names.LabelSource;
import org.apache.camel.spi.Configurer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.apache.camel.spi.UriPath;
import org.jspecify.annotations.Nullable;

/** The options of a {@code bmp:} endpoint. */
@UriParams
@Configurer
public class BmpConfiguration {
    @UriPath(
            enums = "start,raw,decode,routes,json,openbmp",
            description =
                    "start: makes the messages that report the start of the collector. raw: makes a Kafka record of"
                            + " a batch of BMP messages, verbatim. decode: decodes what raw has made into one message for each"
                            + " lane. routes: makes a list of single routes of a record of bmp.routes. json: makes JSON objects"
                            + " of such records. openbmp: adds OpenBMP's header to records of bmp.raw.")
    @Metadata(required = true)
    private BmpOperation operation = BmpOperation.DECODE;

    @UriParam(
            description =
                    "json: a LabelSource, such as the bean names, from which objects get the labels of their router and peer. Default: none")
    private @Nullable LabelSource labels;

    public BmpOperation getOperation() {
        return operation;
    }

    public void setOperation(BmpOperation operation) {
        this.operation = operation;
    }

    public @Nullable LabelSource getLabels() {
        return labels;
    }

    public void setLabels(@Nullable LabelSource labels) {
        this.labels = labels;
    }
}
