package dev.silkroute.app.station;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.routes.RouteProblem;
import io.quarkus.runtime.QuarkusBindException;
import org.apache.camel.CamelContext;

/** Converts the exception of a failed start to an error for the operator. */
final class StartFailure {
    private StartFailure() {}

    /**
     * Converts an exception of Camel. An invalid setting is reported as such, not as an error in the file of the
     * route that uses it.
     */
    static OperatorError ofRoutes(Exception failure, CamelContext context) {
        for (Throwable cause = failure; cause != null && cause != cause.getCause(); cause = cause.getCause()) {
            if (cause instanceof OperatorError error) {
                return error;
            }
        }
        return new OperatorError(RouteProblem.of(failure, context).text(), failure);
    }

    /** Converts an exception of Quarkus. */
    static OperatorError of(Throwable failure) {
        var last = failure;
        for (Throwable cause = failure; cause != null && cause != cause.getCause(); cause = cause.getCause()) {
            if (cause instanceof OperatorError error) {
                return error;
            }
            if (cause instanceof QuarkusBindException bind) {
                return new OperatorError("port " + bind.getPort() + " is in use", failure);
            }
            last = cause;
        }
        return new OperatorError("the station did not start: " + OperatorError.reason(last), failure);
    }
}
