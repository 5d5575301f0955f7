package dev.silkroute.component.replay;

import java.util.Objects;
import org.apache.camel.spi.Configurer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.apache.camel.spi.UriPath;
import org.jspecify.annotations.Nullable;

/** Options of a {@code replay:} endpoint. */
@UriParams
@Configurer
public class ReplayConfiguration {
    @UriPath(
            description = "The capture: a raw BMP stream, pcap, pcapng or MRT, each also compressed with gzip or bzip2")
    @Metadata(required = true)
    private @Nullable String file;

    @UriParam(
            defaultValue = "0",
            description = "The number of the BMP session in the capture, from 0 in the order in which sessions begin")
    private int session;

    @UriParam(
            defaultValue = "max",
            description =
                    "max: as fast as the route accepts it. original: at the times of the capture. A factor such as"
                            + " 10x or 0.5x: faster or slower than that. A raw BMP stream has no times.")
    private String speed = "max";

    @UriParam(
            defaultValue = "1",
            description = "How many times the session is replayed, each time on a connection of its own")
    private int loop = 1;

    @UriParam(
            defaultValue = "0",
            description =
                    "The number of bytes after which each replay of the session ends, wherever that is; 0 for all")
    private long bytes;

    @UriParam(defaultValue = "false", description = "Whether the last connection stays open until the route stops")
    private boolean hold;

    @UriParam(
            defaultValue = "65536",
            description =
                    "The maximum number of bytes in an exchange. Chunks end anywhere, not at the end of a message.")
    private int chunkSize = 64 * 1024;

    @UriParam(description = "A bean that receives the progress of the replay")
    private @Nullable ReplayListener listener;

    public String getFile() {
        return Objects.requireNonNull(file, "file");
    }

    public void setFile(String file) {
        this.file = file;
    }

    public int getSession() {
        return session;
    }

    public void setSession(int session) {
        this.session = session;
    }

    public String getSpeed() {
        return speed;
    }

    public void setSpeed(String speed) {
        this.speed = speed;
    }

    public int getLoop() {
        return loop;
    }

    public void setLoop(int loop) {
        this.loop = loop;
    }

    public long getBytes() {
        return bytes;
    }

    public void setBytes(long bytes) {
        this.bytes = bytes;
    }

    public boolean isHold() {
        return hold;
    }

    public void setHold(boolean hold) {
        this.hold = hold;
    }

    public int getChunkSize() {
        return chunkSize;
    }

    public void setChunkSize(int chunkSize) {
        this.chunkSize = chunkSize;
    }

    public @Nullable ReplayListener getListener() {
        return listener;
    }

    public void setListener(@Nullable ReplayListener listener) {
        this.listener = listener;
    }
}
