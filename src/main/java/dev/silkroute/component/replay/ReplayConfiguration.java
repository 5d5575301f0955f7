package dev.silkroute.component.replay;

import java.util.Objects;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.apache.camel.spi.UriPath;
import org.jspecify.annotations.Nullable;

/** Options of a {@code replay:} endpoint. */
@UriParams
public class ReplayConfiguration {
    @UriPath
    @Metadata(required = true)
    private @Nullable String file;

    @UriParam(defaultValue = "0")
    private int session;

    @UriParam(defaultValue = "max")
    private String speed = "max";

    @UriParam(defaultValue = "1")
    private int loop = 1;

    @UriParam(defaultValue = "0")
    private long bytes;

    @UriParam(defaultValue = "false")
    private boolean hold;

    @UriParam(defaultValue = "65536")
    private int chunkSize = 64 * 1024;

    @UriParam
    private @Nullable ReplayListener listener;

    public String getFile() {
        return Objects.requireNonNull(file, "file");
    }

    /** The capture: a raw BMP stream, pcap, pcapng or MRT, each also compressed with gzip or bzip2. */
    public void setFile(String file) {
        this.file = file;
    }

    public int getSession() {
        return session;
    }

    /** Which of the capture's BMP sessions, from 0 in the order in which they begin. */
    public void setSession(int session) {
        this.session = session;
    }

    public String getSpeed() {
        return speed;
    }

    /**
     * {@code max} is as fast as the route takes it; {@code original} keeps the capture's own times, and a factor such as
     * {@code 10x} or {@code 0.5x} stretches them. A raw stream has no times.
     */
    public void setSpeed(String speed) {
        this.speed = speed;
    }

    public int getLoop() {
        return loop;
    }

    /** How many times the session is replayed, each time on a connection of its own. */
    public void setLoop(int loop) {
        this.loop = loop;
    }

    public long getBytes() {
        return bytes;
    }

    /** Stops each pass after so many bytes, wherever that is; 0 is the whole session. */
    public void setBytes(long bytes) {
        this.bytes = bytes;
    }

    public boolean isHold() {
        return hold;
    }

    /** Whether the connection stays open after the last pass, until the route stops. */
    public void setHold(boolean hold) {
        this.hold = hold;
    }

    public int getChunkSize() {
        return chunkSize;
    }

    /** Most bytes in one exchange. Chunks end anywhere, not where messages do. */
    public void setChunkSize(int chunkSize) {
        this.chunkSize = chunkSize;
    }

    public @Nullable ReplayListener getListener() {
        return listener;
    }

    /** A bean that hears how the replay goes on. */
    public void setListener(@Nullable ReplayListener listener) {
        this.listener = listener;
    }
}
