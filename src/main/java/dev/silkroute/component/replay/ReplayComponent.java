package dev.silkroute.component.replay;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureFormat;
import dev.silkroute.capture.packet.PacketFormat;
import dev.silkroute.mrt.MrtFormat;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;

/**
 * Creates {@code replay:} endpoints. Each capture is opened once, so that the endpoints of its sessions share one
 * survey.
 */
@Component("replay")
public class ReplayComponent extends DefaultComponent {
    private static final List<CaptureFormat> FORMATS = Stream.concat(
                    PacketFormat.AND_RAW.stream(), Stream.of(new MrtFormat()))
            .toList();

    private final Map<Path, CaptureFile> captures = new HashMap<>();

    /** Returns the capture at a path; the first call opens it. */
    public CaptureFile capture(Path file) throws CaptureException {
        synchronized (captures) {
            CaptureFile capture = captures.get(file);
            if (capture == null) {
                capture = CaptureFile.open(file, FORMATS);
                captures.put(file, capture);
            }
            return capture;
        }
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        ReplayConfiguration configuration = new ReplayConfiguration();
        configuration.setFile(remaining);
        ReplayEndpoint endpoint = new ReplayEndpoint(uri, this, configuration);
        setProperties(endpoint, parameters);
        return endpoint;
    }
}
