package dev.silkroute.bmp;

/**
 * The namespaces of TLV types: the same code means different things in different messages (RFC 7854, Section 4.4; RFC
 * 9736).
 */
public enum TlvSpace {
    INITIATION,
    TERMINATION,
    PEER_UP,
    PEER_DOWN
}
