package dev.silkroute.component.rib;

/**
 * Thrown while the RIB has not been loaded yet: its answers would lack routes, or contain shorter prefixes than there
 * are.
 */
public final class RibNotReady extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public RibNotReady() {
        super("the RIB has not been loaded yet; /q/health/ready reports its progress");
    }
}
