package dev.silkroute.bgp;

/** Names of the events of the BGP finite state machine (RFC 4271, Section 8.1), whose numbers Peer Down carries. */
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

    /** Returns the name in RFC 4271, {@code event-N} for a number without one. */
    public static String text(int event) {
        return event >= 0 && event < NAMES.length ? NAMES[event] : "event-" + event;
    }
}
