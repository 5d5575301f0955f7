package dev.silkroute.collector.gate;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of routers that have presented a certificate. BMP sessions last for months, so they end when
 * their certificate is revoked or its authority is no longer trusted. Thread-safe.
 */
public final class CertifiedConnections {
    private static final Logger LOGGER = LoggerFactory.getLogger(CertifiedConnections.class);

    private final Map<Channel, X509Certificate[]> open = new ConcurrentHashMap<>();

    /** Checks a chain of certificates, that of the router first. */
    @FunctionalInterface
    public interface Check {
        /** @throws CertificateException if it is not valid any more; the message contains which certificate, and why */
        void check(X509Certificate[] chain) throws CertificateException;
    }

    void add(Channel connection, X509Certificate[] chain) {
        open.put(connection, chain);
        connection.closeFuture().addListener(_ -> open.remove(connection));
    }

    /** Closes the connections whose certificates a check rejects. */
    public void check(Check check) {
        open.forEach((connection, chain) -> {
            try {
                check.check(chain);
            } catch (RouterTrust.UndeterminedException e) {
                InetAddress router = ConnectionGate.routerAddress(connection);
                LOGGER.warn("BMP connection from {} stays open: {}", router.getHostAddress(), e.getMessage());
            } catch (CertificateException e) {
                InetAddress router = ConnectionGate.routerAddress(connection);
                LOGGER.warn("BMP connection from {} closed: {}", router.getHostAddress(), e.getMessage());
                connection.close();
            }
        });
    }
}
