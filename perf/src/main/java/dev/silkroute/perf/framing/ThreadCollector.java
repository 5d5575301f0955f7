package dev.silkroute.perf.framing;

import dev.silkroute.app.embedded.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;

/** One virtual thread for each router, with blocking reads of up to 64 KiB; it waits while its session is full. */
final class ThreadCollector implements CollectorVariant {
    private static final int READ = 64 << 10;

    private final Producer<String, byte[]> producer;
    private final String topic;
    private final Settings settings;
    private final AtomicInteger open = new AtomicInteger();
    private final ServerSocket server = new ServerSocket();

    ThreadCollector(Properties producerOptions, String topic, Settings settings) throws IOException {
        producer = new KafkaProducer<>(producerOptions);
        this.topic = topic;
        this.settings = settings;
        server.bind(new InetSocketAddress(Ports.LOOPBACK, 0));
        Thread.ofVirtual().name("accept").start(this::accept);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                PlainSession session = new PlainSession(producer, topic, settings, open, socket.getInetAddress());
                Thread.ofVirtual().name("router").start(() -> read(socket, session));
            } catch (IOException e) {
                if (!server.isClosed()) {
                    e.printStackTrace();
                }
            }
        }
    }

    private static void read(Socket socket, PlainSession session) {
        Thread reader = Thread.currentThread();
        session.onRoom(() -> LockSupport.unpark(reader));
        try (socket;
                InputStream in = socket.getInputStream()) {
            int length;
            while ((length = in.read(session.buffer(READ), session.filled(), READ)) >= 0) {
                session.read(length);
                if (session.isFull()) {
                    while (!session.hasRoom()) {
                        LockSupport.park(session);
                    }
                    session.resumed();
                }
            }
            session.end();
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    @Override
    public int port() {
        return server.getLocalPort();
    }

    @Override
    public int openSessions() {
        return open.get();
    }

    @Override
    public void close() throws IOException {
        server.close();
        producer.close();
    }
}
