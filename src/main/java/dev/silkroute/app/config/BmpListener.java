package dev.silkroute.app.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A listener for BMP sessions beside that of {@code silkroute.bmp-port}, from {@code silkroute.bmp-listeners}.
 *
 * @param isTls whether routers must use TLS, rather than plain TCP
 */
public record BmpListener(boolean isTls, HostPort address) {
    private static final String LISTENERS = "silkroute.bmp-listeners";
    private static final Pattern LISTENER = Pattern.compile("(?<scheme>tcp|tls)://(?<address>.+)");
    private static final List<String> WILDCARDS = List.of("0.0.0.0", "::");

    /**
     * Reads the setting.
     *
     * @throws OperatorError if it is invalid, or TLS is not configured and one of the listeners uses it
     */
    public static List<BmpListener> of(StationConfig config) {
        List<BmpListener> listeners = Stream.of(config.bmpListeners().orElse("").split(",", -1))
                .map(String::strip)
                .filter(listener -> !listener.isEmpty())
                .map(BmpListener::parse)
                .toList();
        List<HostPort> addresses = new ArrayList<>(List.of(new HostPort(config.bmpHost(), config.bmpPort())));
        for (BmpListener listener : listeners) {
            if (listener.isTls && BmpTls.of(config.bmpTls()) == null) {
                throw new OperatorError(LISTENERS + ": " + listener
                        + " requires silkroute.bmp-tls.certificate and silkroute.bmp-tls.key");
            }
            if (addresses.stream().anyMatch(listener::conflictsWith)) {
                throw new OperatorError(LISTENERS + ": another BMP listener has the address of " + listener);
            }
            addresses.add(listener.address);
        }
        return listeners;
    }

    private static BmpListener parse(String text) {
        Matcher matcher = LISTENER.matcher(text);
        if (!matcher.matches()) {
            throw new OperatorError(
                    LISTENERS + ": '" + text + "' is not of the form tcp://ADDRESS:PORT or tls://ADDRESS:PORT");
        }
        try {
            return new BmpListener(matcher.group("scheme").equals("tls"), HostPort.parse(matcher.group("address")));
        } catch (IllegalArgumentException e) {
            throw new OperatorError(LISTENERS + ": " + e.getMessage(), e);
        }
    }

    private boolean conflictsWith(HostPort other) {
        String host = Host.bare(other.host());
        return other.port() == address.port()
                && (host.equals(host()) || WILDCARDS.contains(host) || WILDCARDS.contains(host()));
    }

    /** Returns the host without brackets. */
    public String host() {
        return Host.bare(address.host());
    }

    @Override
    public String toString() {
        return (isTls ? "tls://" : "tcp://") + address;
    }
}
