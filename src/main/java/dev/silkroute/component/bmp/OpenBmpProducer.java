package dev.silkroute.component.bmp;

import dev.silkroute.bmp.BmpMessages;
import java.net.InetAddress;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.support.DefaultProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code bmp:openbmp}: converts records of {@code bmp.raw} into single BMP messages, each with an OpenBMP header. */
final class OpenBmpProducer extends DefaultProducer {
    private static final Logger LOGGER = LoggerFactory.getLogger(OpenBmpProducer.class);
    private static final InetAddress UNKNOWN = InetAddress.ofLiteral("0.0.0.0");

    OpenBmpProducer(BmpEndpoint endpoint) {
        super(endpoint);
    }

    @Override
    public void process(Exchange exchange) {
        KafkaBatch.transform(exchange, OpenBmpProducer::messages);
    }

    private static Iterator<byte[]> messages(Message record) {
        byte[] bytes = record.getBody(byte[].class);
        String router = KafkaBatch.text(record, "router");
        try {
            return new Messages(
                    new OpenBmpHeader(
                            KafkaBatch.text(record, "collector"),
                            router,
                            address(KafkaBatch.text(record, "router_address"), router)),
                    bytes == null ? new byte[0] : bytes,
                    Long.parseLong(KafkaBatch.text(record, "received")));
        } catch (NumberFormatException e) {
            LOGGER.warn("Skipped a record of bmp.raw: its header 'received' is missing or malformed");
            return Collections.emptyIterator();
        }
    }

    /** Returns the address from the header, else the router's name if it is one: older records have no address. */
    private static InetAddress address(String text, String router) {
        for (String one : new String[] {text, router}) {
            try {
                return InetAddress.ofLiteral(one);
            } catch (IllegalArgumentException e) {
                // not an address; try the next text
            }
        }
        return UNKNOWN;
    }

    private static final class Messages implements Iterator<byte[]> {
        private final OpenBmpHeader header;
        private final byte[] bytes;
        private final long receivedMicros;
        private int at;

        Messages(OpenBmpHeader header, byte[] bytes, long receivedMicros) {
            this.header = header;
            this.bytes = bytes;
            this.receivedMicros = receivedMicros;
        }

        @Override
        public boolean hasNext() {
            return end() > 0;
        }

        /** Returns the end of the next whole message, 0 if there is none. */
        private int end() {
            if (bytes.length - at < BmpMessages.COMMON_HEADER_LENGTH) {
                return 0;
            }
            int length = BmpMessages.length(bytes, at);
            return length < BmpMessages.COMMON_HEADER_LENGTH || length > bytes.length - at ? 0 : at + length;
        }

        @Override
        public byte[] next() {
            int end = end();
            if (end == 0) {
                throw new NoSuchElementException();
            }
            byte[] message = header.before(bytes, at, end, receivedMicros);
            at = end;
            return message;
        }
    }
}
