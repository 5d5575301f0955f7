package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;

/**
 * NLRI of VPLS: label blocks (RFC 4761, Section 3.2.2) and auto-discovery (RFC 6074, Section 3.2.2.1), distinguished by
 * their length.
 *
 * <pre>
 * u16 17 | u64 RD | u16 VE ID | u16 VE block offset | u16 VE block size | u24 label base
 * u16 12 | u64 RD | u32 PE address
 * </pre>
 */
enum VplsNlri implements NlriCodec {
    INSTANCE;

    private static final Layout DISTINGUISHED = Layout.of().with("rd", FieldType.DISTINGUISHER);
    private static final Layout LABEL_BLOCK = DISTINGUISHED
            .with("ve", FieldType.U16)
            .with("block-offset", FieldType.U16)
            .with("block-size", FieldType.U16)
            .with("label-base", FieldType.LABEL);
    private static final Layout DISCOVERY = DISTINGUISHED.with("pe", FieldType.IPV4);

    @Override
    public int next(byte[] b, int at, int limit) {
        if (limit - at < 2) {
            return NlriFault.VPLS.asResult();
        }
        int length = BigEndian.u16(b, at);
        return length >= 8 && length <= limit - at - 2 ? at + 2 + length : NlriFault.VPLS.asResult();
    }

    @Override
    public void text(byte[] b, int from, int to, StringBuilder out) {
        if (LABEL_BLOCK.fits(b, from + 2, to)) {
            LABEL_BLOCK.text(b, from + 2, to, out);
        } else if (DISCOVERY.fits(b, from + 2, to)) {
            DISCOVERY.text(b, from + 2, to, out);
        } else {
            out.append("rd=").append(RouteDistinguisher.exactText(BigEndian.i64(b, from + 2)));
            out.append(" value=0x").append(Hex.of(b, from + 10, to));
        }
    }
}
