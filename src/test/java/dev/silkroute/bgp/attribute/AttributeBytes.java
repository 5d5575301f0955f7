package dev.silkroute.bgp.attribute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;

/** Puts the value of a TLV attribute together again from its JSON alone, to show that JSON loses nothing. */
final class AttributeBytes {
    private static final ObjectMapper JSON = new ObjectMapper();

    private AttributeBytes() {}

    static Bytes of(int type, String json) {
        try {
            JsonNode set = JSON.readTree(json);
            ByteSink out = new ByteSink();
            switch (type) {
                case AttributeCode.PMSI_TUNNEL -> {
                    JsonNode tunnel = set.get("pmsi_tunnel");
                    out.u8(tunnel.get("flags").asInt())
                            .u8(tunnel.get("tunnel_type").asInt());
                    hex(tunnel.get("label_raw"), out);
                    hex(tunnel.get("identifier"), out);
                }
                case AttributeCode.ATTR_SET -> {
                    out.u32((int) set.get("attr_set").get("origin_asn").asLong());
                    hex(set.get("attr_set").get("value"), out);
                }
                case AttributeCode.TUNNEL_ENCAPSULATION -> tlvs(set.get("tunnel_encapsulation"), 2, 0, out);
                case AttributeCode.AIGP -> tlvs(set.get("aigp"), 1, 3, out);
                case AttributeCode.BGP_LS -> tlvs(set.get("bgp_ls"), 2, 0, out);
                default -> tlvs(set.get("prefix_sid"), 1, 0, out);
            }
            return Bytes.of(out.toByteArray());
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }

    private static void tlvs(JsonNode tlvs, int typeSize, int counted, ByteSink out) {
        for (JsonNode tlv : tlvs) {
            if (typeSize == 1) {
                out.u8(tlv.get("type").asInt());
            } else {
                out.u16(tlv.get("type").asInt());
            }
            out.u16(tlv.get("value").asText().length() / 2 + counted);
            hex(tlv.get("value"), out);
        }
    }

    private static void hex(JsonNode text, ByteSink out) {
        out.bytes(Bytes.ofHex(text.asText()));
    }
}
