package dev.silkroute.component.replay;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The station closed the connection before everything was sent, or without reading everything that was sent. */
public final class ConnectionLostException extends IOException {
    private static final long serialVersionUID = 1L;

    public ConnectionLostException(@Nullable Throwable cause) {
        super(cause == null ? "the station closed it" : String.valueOf(cause.getMessage()), cause);
    }
}
