package dev.silkroute.app.ask;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.console.AnswerFormat;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.IpPrefix;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code silkroute lookup}: the routes of an address or prefix, from the RIB of a running station. */
@Command(
        name = "lookup",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Shows where an address, or the whole of a prefix, goes: of each peer and view",
            "the routes with the longest prefix that covers it."
        })
public final class LookupCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ADDRESS|PREFIX", arity = "1", description = "Such as 192.0.2.1 or 2001:db8::/32")
    private String wanted = "";

    @Mixin
    private AnswerFormat format = new AnswerFormat();

    @Mixin
    private StationApi station = new StationApi();

    @Override
    public Integer call() {
        IpPrefix prefix;
        try {
            prefix = IpPrefix.parse(wanted.strip());
        } catch (IllegalArgumentException e) {
            throw new OperatorError(String.valueOf(e.getMessage()), e);
        }
        boolean address = wanted.indexOf('/') < 0;
        String asked = address ? Addresses.text(prefix.ipv6(), prefix.high(), prefix.low()) : prefix.toString();
        var routes = station.get("/api/v1/lookup?" + (address ? "address=" : "prefix=") + asked);
        format.print(routes, answer -> LookupText.of(asked, answer));
        return 0;
    }
}
