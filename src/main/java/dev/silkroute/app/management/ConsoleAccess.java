package dev.silkroute.app.management;

import dev.silkroute.app.config.Host;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The users that may use the console and JMX over HTTP. */
public enum ConsoleAccess {
    /** Everyone who can connect to the loopback address, as an operator. */
    LOCAL("permit"),
    /** Users with one of the two roles. */
    USERS("console"),
    /** Nobody: the address is not loopback and no users are configured. */
    OFF("deny");

    /** The property with the access of the running station. */
    static final String PROPERTY = "station.console-access";

    private static final String CONSOLE_PATHS = "/hawtio,/hawtio/*";

    /** The name of Quarkus's permission policy. */
    private final String policy;

    ConsoleAccess(String policy) {
        this.policy = policy;
    }

    /**
     * Returns Quarkus's settings for the management interface.
     *
     * @param host the address that the interface listens on
     * @param usersFile the users, null for none
     * @throws dev.silkroute.app.config.OperatorError if the file of users cannot be used
     */
    public static Map<String, String> properties(String host, @Nullable Path usersFile) {
        var properties = new HashMap<String, String>();
        if (usersFile != null) {
            properties.putAll(UsersFile.read(usersFile));
        }
        var access = usersFile != null ? USERS : Host.isLoopback(host) ? LOCAL : OFF;
        properties.put(PROPERTY, access.name());
        properties.put("quarkus.management.auth.permission.console.paths", CONSOLE_PATHS);
        properties.put("quarkus.management.auth.permission.console.policy", access.policy);
        if (access == USERS) {
            // Only the users of the file: not those of an OpenID Connect provider, whose groups may have the same names
            properties.put("quarkus.management.auth.permission.console.auth-mechanism", "basic");
        }
        return properties;
    }
}
