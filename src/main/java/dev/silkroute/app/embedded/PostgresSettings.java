package dev.silkroute.app.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes the server's settings to {@code silkroute.conf} at each start. Settings of the operator belong in {@code
 * local.conf} beside it, which is read last and never overwritten.
 */
final class PostgresSettings {
    private static final String INCLUDE = "include 'silkroute.conf'";

    private PostgresSettings() {}

    static void write(Path cluster, PostgresAccess access) throws IOException {
        OwnerOnly.writeForOwnerOfDirectory(cluster.resolve("silkroute.conf"), """
                listen_addresses = '127.0.0.1'
                # Relative to the storage directory, which other users cannot enter, and short enough for any path
                unix_socket_directories = '.'
                unix_socket_permissions = 0700
                max_connections = 60
                shared_buffers = 256MB
                work_mem = 16MB
                maintenance_work_mem = 128MB
                # Commits are few and large and contain the Kafka offsets of their rows, so they must be durable
                synchronous_commit = on
                wal_level = minimal
                max_wal_senders = 0
                # Measured: with pglz compression of the WAL transactions take four times as long
                wal_compression = off
                max_wal_size = 2GB
                checkpoint_timeout = 15min
                log_min_messages = warning
                log_checkpoints = off
                log_timezone = 'UTC'
                timezone = 'UTC'
                jit = off
                random_page_cost = 1.1
                # The certificate of the role is that of the server too: only the owner has its key
                ssl = on
                ssl_cert_file = 'silkroute.crt'
                ssl_key_file = 'silkroute.key'
                ssl_ca_file = 'silkroute.crt'
                """);
        OwnerOnly.writeForOwnerOfDirectory(cluster.resolve("pg_hba.conf"), """
                # The socket is in the storage directory, which other users cannot enter
                local   all       all                     trust
                hostssl silkroute silkroute 127.0.0.1/32  cert
                host    silkroute silkroute 127.0.0.1/32  scram-sha-256
                """);
        OwnerOnly.writeForOwnerOfDirectory(cluster.resolve("silkroute.crt"), Files.readString(access.certificate()));
        OwnerOnly.writeForOwnerOfDirectory(cluster.resolve("silkroute.key"), Files.readString(access.key()));
        var own = cluster.resolve("local.conf");
        if (!Files.exists(own)) {
            OwnerOnly.writeForOwnerOfDirectory(own, "# Your own settings: read last and never overwritten\n");
        } else {
            OwnerOnly.giveToOwnerOfDirectory(own);
        }
        var main = cluster.resolve("postgresql.conf");
        if (!Files.readString(main).contains(INCLUDE)) {
            Files.writeString(main, "\n" + INCLUDE + "\ninclude 'local.conf'\n", StandardOpenOption.APPEND);
        }
    }
}
