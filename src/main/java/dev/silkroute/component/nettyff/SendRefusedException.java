package dev.silkroute.component.nettyff;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An exchange was not, or not as a whole, put on its way. */
public final class SendRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int accepted;

    SendRefusedException(String message, int accepted, @Nullable Throwable cause) {
        super(message, cause);
        this.accepted = accepted;
    }

    /** How many messages of the exchange had been accepted before: only a batch can have more than 0. */
    public int getAccepted() {
        return accepted;
    }
}
