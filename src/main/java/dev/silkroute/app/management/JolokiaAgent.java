package dev.silkroute.app.management;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jolokia.json.JSONStructure;
import org.jolokia.server.core.config.ConfigKey;
import org.jolokia.server.core.config.StaticConfiguration;
import org.jolokia.server.core.http.HttpRequestHandler;
import org.jolokia.server.core.request.EmptyResponseException;
import org.jolokia.server.core.service.JolokiaServiceManagerFactory;
import org.jolokia.server.core.service.api.JolokiaServiceManager;
import org.jolokia.server.core.service.impl.ClasspathServiceCreator;
import org.jolokia.server.core.service.impl.JulLogHandler;

/**
 * JMX over HTTP: answers Jolokia's requests from inside the station, each with the rights of a role. Jolokia itself has
 * no roles, so that a restrictor reads that of the current request. Thread-safe.
 */
@Singleton
class JolokiaAgent {
    private static final int MAX_OBJECTS = 100_000;

    private final JolokiaServiceManager services;
    private final HttpRequestHandler handler;

    JolokiaAgent() {
        var configuration = new StaticConfiguration(
                ConfigKey.AGENT_ID, "silkroute",
                ConfigKey.AGENT_TYPE, "silkroute",
                ConfigKey.DISABLE_DETECTORS, "true",
                ConfigKey.DISCOVERY_ENABLED, "false",
                ConfigKey.MAX_OBJECTS, Integer.toString(MAX_OBJECTS));
        services = JolokiaServiceManagerFactory.createJolokiaServiceManager(
                configuration, new JulLogHandler("org.jolokia"), new RoleRestrictor(), null);
        services.addServices(new ClasspathServiceCreator(JolokiaAgent.class.getClassLoader(), "services"));
        handler = new HttpRequestHandler(services.start());
    }

    /**
     * Answers a GET request, whose path is the operation, such as {@code /read/java.lang:type=Memory}.
     *
     * @throws EmptyResponseException if the operation has no response
     */
    JSONStructure get(ConsoleUser user, String uri, String path, Map<String, String[]> parameters)
            throws EmptyResponseException {
        return ScopedValue.where(RoleRestrictor.USER, user).call(() -> handler.handleGetRequest(uri, path, parameters));
    }

    /**
     * Answers a POST request, whose body is one operation or a list of them.
     *
     * @throws EmptyResponseException if the operation has no response
     */
    JSONStructure post(ConsoleUser user, String uri, byte[] body, Map<String, String[]> parameters)
            throws EmptyResponseException {
        return ScopedValue.where(RoleRestrictor.USER, user).call(() -> read(uri, body, parameters));
    }

    private JSONStructure read(String uri, byte[] body, Map<String, String[]> parameters)
            throws EmptyResponseException {
        try {
            return handler.handlePostRequest(uri, new ByteArrayInputStream(body), "UTF-8", parameters);
        } catch (IOException e) {
            throw new UncheckedIOException("the body is in memory", e);
        }
    }

    /** Returns the response to a request that failed, as the console expects it. */
    JSONStructure error(Exception failure) {
        return handler.handleThrowable(failure);
    }

    @PreDestroy
    void stop() {
        services.stop();
    }
}
