package dev.silkroute.component.replay;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.Survey;
import java.nio.file.Path;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.MultipleConsumersSupport;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.DefaultEndpoint;

/** Replays one BMP session of a capture as chunks of bytes when its route starts. */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "replay",
        title = "Replay",
        syntax = "replay:file",
        consumerOnly = true,
        category = {Category.FILE, Category.NETWORKING},
        headersClass = ReplayConstants.class)
public class ReplayEndpoint extends DefaultEndpoint implements MultipleConsumersSupport {
    @UriParam
    private final ReplayConfiguration configuration;

    public ReplayEndpoint(String uri, ReplayComponent component, ReplayConfiguration configuration) {
        super(uri, component);
        this.configuration = configuration;
    }

    public ReplayConfiguration getConfiguration() {
        return configuration;
    }

    @Override
    public Producer createProducer() {
        throw new UnsupportedOperationException("replay has no producer; it only reads captures");
    }

    @Override
    public Consumer createConsumer(Processor processor) throws Exception {
        CaptureFile capture = ((ReplayComponent) getComponent()).capture(Path.of(configuration.getFile()));
        Survey survey = capture.survey();
        int session = configuration.getSession();
        if (session < 0 || session >= survey.sessions().size()) {
            throw new IllegalArgumentException(capture.file() + " has no session " + session + " but 0 to "
                    + (survey.sessions().size() - 1));
        }
        requirePositive("loop", configuration.getLoop());
        requirePositive("chunkSize", configuration.getChunkSize());
        if (ReplaySpeed.parse(configuration.getSpeed()).timed() && !survey.timed()) {
            throw CaptureException.ofFile(capture.file(), "has no times, so the speed must be max");
        }
        ReplayConsumer consumer = new ReplayConsumer(
                this, processor, capture, survey, survey.sessions().get(session));
        configureConsumer(consumer);
        return consumer;
    }

    private static void requirePositive(String option, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(option + " must be 1 or more, not " + value);
        }
    }

    /** Each consumer reads the capture itself, so one session may be replayed several times at once. */
    @Override
    public boolean isMultipleConsumersSupported() {
        return true;
    }
}
