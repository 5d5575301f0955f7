package dev.silkroute.app.station;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.routes.RouteProblem;
import io.quarkus.runtime.QuarkusBindException;
import org.apache.camel.CamelContext;

/** What a start that failed inside Quarkus says to the operator. */
final class StartFailure {
    private StartFailure() {}

    /** Of routes: a setting that is wrong is no fault of the file whose route asks for what it sets. */
    static OperatorError ofRoutes(Exception failure, CamelContext context) {
        for (Throwable cause = failure; cause != null && cause != cause.getCause(); cause = cause.getCause()) {
            if (cause instanceof OperatorError error) {
                return error;
            }
        }
        return new OperatorError(RouteProblem.of(failure, context).text(), failure);
    }

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
