package dev.silkroute.app.config;

import dev.silkroute.net.NearestName;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * The settings with which the station's clients connect to a Kafka cluster: bootstrap servers, encryption and
 * authentication. The latter two are client settings of Kafka below {@code silkroute.kafka.}, such as {@code
 * silkroute.kafka.security.protocol}.
 *
 * @param security client settings by Kafka's names; they contain secrets
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

    /** @throws UsageError if a setting below {@code silkroute.kafka.} is not a client setting of Kafka */
    public static KafkaAccess of(String bootstrap, StationConfig config) {
        for (var name : config.kafka().keySet()) {
            if (!NAMES.contains(name)) {
                throw new UsageError("unknown key " + PREFIX + name + ", did you mean " + PREFIX
                        + NearestName.of(name, NAMES) + "? Below " + PREFIX
                        + " are Kafka's client settings security.protocol, sasl.… and ssl.…");
            }
        }
        return new KafkaAccess(bootstrap, config.kafka());
    }

    /** Returns the configuration of a client: these settings and its own. */
    public Map<String, Object> with(Map<String, ?> own) {
        var all = new HashMap<String, Object>(security);
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        all.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
        all.putAll(own);
        return all;
    }

    /** Creates an admin client whose requests time out after {@code limit}. */
    public Admin admin(String clientId, Duration limit) {
        int millis = Math.toIntExact(limit.toMillis());
        return Admin.create(with(Map.of(
                AdminClientConfig.CLIENT_ID_CONFIG, clientId,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis)));
    }

    /** Returns the bootstrap servers, without the secrets. */
    @Override
    public String toString() {
        return bootstrap;
    }
}
