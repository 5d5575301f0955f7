package dev.silkroute.bgp.nlri;

import dev.silkroute.net.ByteSink;
import org.jspecify.annotations.Nullable;

/** Writes the descriptors of a BGP-LS NLRI from their texts: {@code local.as=64500} is a sub-TLV of the node descriptor 256. */
final class LinkStateParser {
    private final boolean ipv6;
    private final ByteSink out;
    /** The node descriptor that sub-TLVs go to, as its name, or empty. */
    private String node = "";
    /** Where the value of that descriptor begins. */
    private int nodeAt;

    LinkStateParser(boolean ipv6, ByteSink out) {
        this.ipv6 = ipv6;
        this.out = out;
    }

    void descriptors(NlriTokens in) {
        while (!in.atEnd()) {
            String name = in.name();
            String value = in.value(name);
            int dot = name.indexOf('.');
            String owner = dot < 0 ? name : name.substring(0, dot);
            if (owner.equals("local") || owner.equals("remote")) {
                if (dot < 0 || !owner.equals(node)) {
                    begin(owner);
                }
                if (dot >= 0) {
                    tlv(LinkStateTlv.of(name.substring(dot + 1), true), name.substring(dot + 1), value);
                } else if (!value.isEmpty()) {
                    throw in.fault(name + " has no value of its own");
                }
            } else {
                end();
                tlv(LinkStateTlv.of(name, false), name, value);
            }
        }
        end();
    }

    private void begin(String owner) {
        end();
        out.u16(owner.equals("local") ? 256 : 257).u16(0);
        node = owner;
        nodeAt = out.position();
    }

    private void end() {
        if (!node.isEmpty()) {
            length(nodeAt);
            node = "";
        }
    }

    private void tlv(@Nullable LinkStateTlv tlv, String name, String value) {
        if (tlv == null && !name.startsWith("tlv")) {
            throw new IllegalArgumentException("no descriptor: " + name);
        }
        out.u16(tlv == null ? (int) NlriTokens.number(name.substring(3), 0xFFFF) : tlv.code)
                .u16(0);
        int at = out.position();
        if (tlv == null) {
            byte[] bytes = NlriTokens.hex(value);
            out.bytes(bytes, 0, bytes.length);
        } else {
            tlv.parse(value, ipv6, out);
        }
        length(at);
    }

    private void length(int at) {
        int length = out.position() - at;
        if (length > 0xFFFF) {
            throw new IllegalArgumentException("descriptor longer than 65535 bytes");
        }
        out.patchU16(at - 2, length);
    }
}
