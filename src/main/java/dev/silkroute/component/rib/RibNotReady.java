package dev.silkroute.component.rib;

/** The RIB has not been read yet: what it says now would be no route, or a shorter prefix, for what has one. */
public final class RibNotReady extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public RibNotReady() {
        super("the RIB has not been read yet; /q/health/ready says how far it is");
    }
}
