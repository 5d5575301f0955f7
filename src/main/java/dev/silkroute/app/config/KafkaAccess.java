package dev.silkroute.app.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * A Kafka cluster as every client of the station reaches it: where it is, and what it asks for by way of encryption and authentication. The
 * latter are Kafka's own client settings, each below {@code silkroute.kafka.}, such as {@code silkroute.kafka.security.protocol}.
 *
 * @param security client settings by Kafka's own names; they hold secrets
 */
public record KafkaAccess(String bootstrap, Map<String, String> security) {
    private static final String PREFIX = "silkroute.kafka.";
    private static final Set<String> NAMES = names();

    public KafkaAccess {
        security = Map.copyOf(security);
    }

    private static Set<String> names() {
        var names = new TreeSet<>(
                new ConfigDef().withClientSslSupport().withClientSaslSupport().names());
        names.add(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG);
        return names;
    }

    /** @throws OperatorError if a setting has a name that Kafka doesn't know */
    public static KafkaAccess of(String bootstrap, Settings settings) {
        for (var name : settings.below(PREFIX).keySet()) {
            if (!NAMES.contains(name)) {
                throw new OperatorError(PREFIX + name + " is no setting: below " + PREFIX
                        + " are Kafka's own for clients, security.protocol, sasl.… and ssl.…");
            }
        }
        var security = new TreeMap<String, String>();
        for (var name : NAMES) {
            var value = settings.find(PREFIX + name);
            if (value != null) {
                security.put(name, value);
            }
        }
        return new KafkaAccess(bootstrap, security);
    }

    /** What a client is made with: all of this, and what it wants by itself. */
    public Map<String, Object> with(Map<String, ?> own) {
        var all = new HashMap<String, Object>(security);
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        all.putAll(own);
        return all;
    }

    /** An admin client that waits so long for each answer. */
    public Admin admin(String clientId, Duration limit) {
        int millis = Math.toIntExact(limit.toMillis());
        return Admin.create(with(Map.of(
                AdminClientConfig.CLIENT_ID_CONFIG, clientId,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis)));
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return bootstrap;
    }
}
