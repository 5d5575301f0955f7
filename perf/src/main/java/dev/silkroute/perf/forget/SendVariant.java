package dev.silkroute.perf.forget;

/** The variants that are compared. Each runs in its own JVM, so that none runs on code compiled for another. */
enum SendVariant {
    NETTY_FF("netty-ff", 1, CamelSender::nettyFf),
    STOCK_SINGLE("camel-netty, pool off", 1, CamelSender::stockSingle),
    STOCK_POOL("camel-netty, pool on", 1, CamelSender::stock),
    STOCK_ASYNC("camel-netty, async + FlushConsolidationHandler", 1, CamelSender::stockAsync),
    CAMEL_NO_OP("Camel exchange to a no-op", 1, CamelSender::noOp),
    NETTY_EACH("Netty, flush per message", 1, NettySender::each),
    NETTY_FF_64("netty-ff, batches of 64", 64, CamelSender::nettyFf),
    STOCK_SINGLE_64("camel-netty, pool off, batches of 64", 64, CamelSender::stockSingle),
    NETTY_64K("Netty, buffers of 64 KiB", 64, NettySender::buffers),
    SOCKET_64K("blocking socket, buffer of 64 KiB", 64, SocketSender::new);

    final String what;
    final int batch;
    final Sender.Factory factory;

    SendVariant(String what, int batch, Sender.Factory factory) {
        this.what = what;
        this.batch = batch;
        this.factory = factory;
    }

    /** Returns whether messages arrive; the no-op variant sends none. */
    boolean delivers() {
        return this != CAMEL_NO_OP;
    }
}
