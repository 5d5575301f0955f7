package dev.silkroute.app.management;

import java.util.Set;
import javax.management.ObjectName;
import org.jboss.logging.Logger;
import org.jolokia.server.core.restrictor.AllowAllRestrictor;
import org.jolokia.server.core.util.RequestType;

/**
 * Allows a viewer to read, and an operator to write and execute as well. Neither gets at what reaches beyond the
 * station (HotSpot's diagnostic commands write files and load agents) or at secrets (system properties and the command
 * line may contain passwords).
 */
final class RoleRestrictor extends AllowAllRestrictor {
    private static final Logger LOGGER = Logger.getLogger(RoleRestrictor.class);

    /** The user whose request this thread handles. */
    static final ScopedValue<ConsoleUser> USER = ScopedValue.newInstance();

    private static final Set<RequestType> VIEWER_REQUESTS =
            Set.of(RequestType.READ, RequestType.LIST, RequestType.SEARCH, RequestType.VERSION);

    /** Operations of Camel that only read, which the console needs for its diagrams and statistics. */
    private static final String CAMEL = "org.apache.camel";

    private static final Set<String> READING_OPERATIONS = Set.of(
            "dumpRoutesAsXml",
            "dumpRouteAsXml",
            "dumpStatsAsXml",
            "dumpRouteStatsAsXml",
            "dumpRoutesStatsAsXml",
            "dumpStepStatsAsXml",
            "browseAllMessagesAsXml",
            "informationJson",
            "explainEndpointJson",
            "explainComponentJson",
            "explainEipJson",
            "listEndpoints",
            "endpointStatistics",
            "browse");

    private static final Set<String> FORBIDDEN_TYPES = Set.of("DiagnosticCommand", "HotSpotDiagnostic");
    private static final Set<String> SECRET_ATTRIBUTES =
            Set.of("SystemProperties", "InputArguments", "ClassPath", "BootClassPath", "LibraryPath");

    @Override
    public boolean isTypeAllowed(RequestType type) {
        return USER.get().role() == ConsoleRole.OPERATOR
                || VIEWER_REQUESTS.contains(type)
                || type == RequestType.EXEC; // decided by operation
    }

    @Override
    public boolean isAttributeReadAllowed(ObjectName name, String attribute) {
        return !isObjectNameHidden(name) && !(isRuntime(name) && SECRET_ATTRIBUTES.contains(attribute));
    }

    private static boolean isRuntime(ObjectName name) {
        return name.getDomain().equals("java.lang") && "Runtime".equals(name.getKeyProperty("type"));
    }

    @Override
    public boolean isAttributeWriteAllowed(ObjectName name, String attribute) {
        return !isObjectNameHidden(name) && isOperator("Write", name, attribute);
    }

    @Override
    public boolean isOperationAllowed(ObjectName name, String operation) {
        if (isObjectNameHidden(name)) {
            return false;
        }
        if (isReading(name, operation)) {
            return true;
        }
        return isOperator("Execution", name, operation);
    }

    /** Decides on a change, and logs who made or attempted it. */
    private static boolean isOperator(String access, ObjectName name, String member) {
        var user = USER.get();
        boolean allowed = user.role() == ConsoleRole.OPERATOR;
        LOGGER.infof(
                "Console: %s of %s of %s by %s%s", access, oneLine(member), name, user, allowed ? "" : " rejected");
        return allowed;
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }

    private static boolean isReading(ObjectName name, String operation) {
        int signature = operation.indexOf('(');
        var method = signature < 0 ? operation : operation.substring(0, signature);
        return name.getDomain().equals(CAMEL) && READING_OPERATIONS.contains(method);
    }

    @Override
    public boolean isObjectNameHidden(ObjectName name) {
        var type = name.getKeyProperty("type");
        return type != null && FORBIDDEN_TYPES.contains(type)
                || name.getDomain().equals("java.util.logging");
    }
}
