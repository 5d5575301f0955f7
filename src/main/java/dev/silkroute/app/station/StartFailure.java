package dev.silkroute.app.station;

import dev.silkroute.app.config.OperatorError;
import io.quarkus.runtime.QuarkusBindException;

/** What a start that failed inside Quarkus says to the operator. */
final class StartFailure {
    private StartFailure() {}

    static OperatorError explain(Throwable failure) {
        var last = failure;
        for (Throwable cause = failure; cause != null && cause != cause.getCause(); cause = cause.getCause()) {
            if (cause instanceof OperatorError error) {
                return error;
            }
            if (cause instanceof QuarkusBindException taken) {
                return new OperatorError("port " + taken.getPort() + " is in use", failure);
            }
            last = cause;
        }
        return new OperatorError("the station did not start: " + OperatorError.reason(last), failure);
    }
}
