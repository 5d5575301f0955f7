package dev.silkroute.app.collector;

import dev.silkroute.app.config.BmpMd5;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.collector.sockets.BmpAcceptor;
import dev.silkroute.collector.sockets.Md5Keys;
import dev.silkroute.collector.sockets.SocketTransport;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The keys with which routers' TCP connections must be signed. A changed file is loaded while the station runs; while
 * it is missing or invalid, the previous keys are kept.
 */
@Singleton
final class RouterKeys {
    private static final Logger LOGGER = Logger.getLogger(RouterKeys.class);

    private final StationConfig config;
    private @Nullable PeriodicTask reload;

    RouterKeys(StationConfig config) {
        this.config = config;
    }

    /** Returns the transport for routers' connections: without keys that of the JDK. */
    SocketTransport transport() {
        return config.bmpMd5Keys().isPresent() ? SocketTransport.EPOLL : SocketTransport.NIO;
    }

    /**
     * Loads the keys, and gives those of changed files to the acceptor.
     *
     * @param acceptor creates the acceptor with the first keys
     */
    BmpAcceptor follow(Function<Md5Keys, BmpAcceptor> acceptor) {
        Md5Keys first = BmpMd5.of(config);
        BmpAcceptor created = acceptor.apply(first);
        Optional<Path> file = config.bmpMd5Keys();
        if (file.isPresent()) {
            LOGGER.infof("Loaded TCP MD5 %s from %s", first, file.get());
            PeriodicTask task =
                    new PeriodicTask("TCP MD5 keys", "silkroute-md5-keys", new Reload(file.get(), first, created));
            task.start(config.bmpTls().reloadInterval());
            reload = task;
        }
        return created;
    }

    @PreDestroy
    void stop() {
        if (reload != null) {
            reload.close();
        }
    }

    /** Reads the file again. A failure is logged once for each reason. */
    private static final class Reload implements PeriodicTask.Task {
        private final Path file;
        private final BmpAcceptor acceptor;
        private Md5Keys loaded;
        private @Nullable String failure;

        Reload(Path file, Md5Keys loaded, BmpAcceptor acceptor) {
            this.file = file;
            this.loaded = loaded;
            this.acceptor = acceptor;
        }

        @Override
        public void run() {
            try {
                Md5Keys current = BmpMd5.read(file);
                failure = null;
                if (!current.equals(loaded)) {
                    acceptor.replace(current);
                    loaded = current;
                    LOGGER.infof("Loaded changed TCP MD5 %s from %s", current, file);
                }
            } catch (OperatorError e) {
                if (!String.valueOf(e.getMessage()).equals(failure)) {
                    LOGGER.warnf("Keeping the previous TCP MD5 keys: %s", e.getMessage());
                }
                failure = String.valueOf(e.getMessage());
            }
        }
    }
}
