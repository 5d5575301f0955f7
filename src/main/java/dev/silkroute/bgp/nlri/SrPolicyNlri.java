package dev.silkroute.bgp.nlri;

/**
 * NLRI of SR policies (RFC 9830, Section 2.1).
 *
 * <pre>
 * u8 bits | u32 distinguisher | u32 color | endpoint
 * </pre>
 */
enum SrPolicyNlri implements NlriCodec {
    IPV4(FieldType.IPV4, 96),
    IPV6(FieldType.IPV6, 192);

    private final Layout layout;
    private final int bits;

    SrPolicyNlri(FieldType endpoint, int bits) {
        this.bits = bits;
        layout = Layout.of()
                .with("distinguisher", FieldType.U32)
                .with("color", FieldType.U32)
                .with("endpoint", endpoint);
    }

    @Override
    public int next(byte[] b, int at, int limit) {
        int end = at + 1 + bits / 8;
        return (b[at] & 0xFF) == bits && end <= limit ? end : NlriFault.SR_POLICY.asResult();
    }

    @Override
    public void text(byte[] b, int from, int to, StringBuilder out) {
        layout.text(b, from + 1, to, out);
    }
}
