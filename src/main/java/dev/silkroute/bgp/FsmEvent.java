package dev.silkroute.bgp;

/** The events of BGP's finite state machine (RFC 4271, Section 8.1), which Peer Down names by their numbers. */
public final class FsmEvent {
    private static final String[] NAMES = {
        "none",
        "ManualStart",
        "ManualStop",
        "AutomaticStart",
        "ManualStart_with_PassiveTcpEstablishment",
        "AutomaticStart_with_PassiveTcpEstablishment",
        "AutomaticStart_with_DampPeerOscillations",
        "AutomaticStart_with_DampPeerOscillations_and_PassiveTcpEstablishment",
        "AutomaticStop",
        "ConnectRetryTimer_Expires",
        "HoldTimer_Expires",
        "KeepaliveTimer_Expires",
        "DelayOpenTimer_Expires",
        "IdleHoldTimer_Expires",
        "TcpConnection_Valid",
        "Tcp_CR_Invalid",
        "Tcp_CR_Acked",
        "TcpConnectionConfirmed",
        "TcpConnectionFails",
        "BGPOpen",
        "BGPOpen with DelayOpenTimer running",
        "BGPHeaderErr",
        "BGPOpenMsgErr",
        "OpenCollisionDump",
        "NotifMsgVerErr",
        "NotifMsg",
        "KeepAliveMsg",
        "UpdateMsg",
        "UpdateMsgErr"
    };

    private FsmEvent() {}

    /** The name in RFC 4271; {@code event-N} for a number without one. */
    public static String text(int event) {
        return event >= 0 && event < NAMES.length ? NAMES[event] : "event-" + event;
    }
}
