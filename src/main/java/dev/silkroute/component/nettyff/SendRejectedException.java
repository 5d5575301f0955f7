package dev.silkroute.component.nettyff;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when the messages of an exchange, or some of them, were not accepted. */
public final class SendRejectedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int accepted;

    SendRejectedException(String message, int accepted, @Nullable Throwable cause) {
        super(message, cause);
        this.accepted = accepted;
    }

    /** Returns how many messages of the exchange were accepted before; only a batch can have more than 0. */
    public int getAccepted() {
        return accepted;
    }
}
