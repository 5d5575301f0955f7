package dev.silkroute.bmp;

import dev.silkroute.net.ByteSink;

/**
 * The values of a per-peer header to be written. {@link PerPeerHeader} describes the layout and reads it.
 *
 * @param flags the whole byte, including the V flag
 * @param addressLow IPv4 in the lower 32 bits, with {@code addressHigh} 0
 */
public record PeerHeader(
        int peerType,
        int flags,
        long distinguisher,
        long addressHigh,
        long addressLow,
        int asn,
        int bgpId,
        long routerTimeMicros) {
    private static final long SECOND = 1_000_000;

    void write(ByteSink out) {
        out.u8(peerType)
                .u8(flags)
                .i64(distinguisher)
                .i64(addressHigh)
                .i64(addressLow)
                .u32(asn)
                .u32(bgpId)
                .u32((int) (routerTimeMicros / SECOND))
                .u32((int) (routerTimeMicros % SECOND));
    }
}
