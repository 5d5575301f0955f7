package dev.silkroute.session;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.bmp.Tlv;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.session.identity.RouterIdentity;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Hand-made messages of one peer, and the events that a session decodes from them. */
public final class Messages {
    static final String MARKER = "ff".repeat(16);

    /** ORIGIN, AS_PATH 65001 in four octets, NEXT_HOP. */
    static final String ATTRIBUTES = "400101004002060201" + "0000fde9" + "400304c0000201";

    static final PeerHeader PEER = new PeerHeader(0, 0, 0, 0, 0xC000_0201L, 65001, 0x0A000001, 1_500_000);

    private final ByteSink out = new ByteSink();
    private final int version;

    public Messages(int version) {
        this.version = version;
    }

    static BmpSession session() {
        return new BmpSession(
                new SessionConfig("col", 100), 1, InetAddress.ofLiteral("192.0.2.99"), RouterIdentity.configured("r1"));
    }

    /** A whole UPDATE; its parts in hex. */
    static String update(String withdrawn, String attributes, String nlri) {
        int length = 23 + (withdrawn.length() + attributes.length() + nlri.length()) / 2;
        return MARKER
                + "%04x02%04x".formatted(length, withdrawn.length() / 2)
                + withdrawn
                + "%04x".formatted(attributes.length() / 2)
                + attributes
                + nlri;
    }

    /** An OPEN with four-octet AS numbers and the given capabilities besides. */
    public static String open(String capabilities) {
        String all = "4104" + "0000fde9" + capabilities;
        int length = all.length() / 2;
        return MARKER + "%04x".formatted(31 + length) + "01" + "04" + "fde9" + "00b4" + "0a000001"
                + "%02x".formatted(length + 2) + "02" + "%02x".formatted(length) + all;
    }

    static String tlv(int type, int index, String value) {
        return "%04x%04x%04x%s".formatted(type, value.length() / 2, index, value);
    }

    Messages add(MessageType type, PeerHeader peer, String body) {
        int start = BmpEncoder.begin(version, type, peer, out);
        out.bytes(Bytes.ofHex(body));
        BmpEncoder.end(start, out);
        return this;
    }

    public Messages add(MessageType type, String body) {
        return add(type, PEER, body);
    }

    public Messages peerUp(String capabilities) {
        String open = open(capabilities);
        return add(MessageType.PEER_UP, "00".repeat(12) + "c0000202" + "00b3" + "c001" + open + open);
    }

    public Messages peerDown(String reasonAndData) {
        return add(MessageType.PEER_DOWN, reasonAndData);
    }

    public Messages initiation(Tlv... tlvs) {
        int start = BmpEncoder.begin(version, MessageType.INITIATION, out);
        BmpEncoder.append(List.of(tlvs), out);
        BmpEncoder.end(start, out);
        return this;
    }

    public byte[] bytes() {
        return out.toByteArray();
    }

    DecodedBatch decode() {
        return session().decode(bytes(), 0, 1, null);
    }

    /** Routes: {@code + 10.0.0.0/8 7 [best] 3}: what, prefix, path identifier, status, reason. */
    static List<String> routes(DecodedBatch decoded) {
        List<String> texts = new ArrayList<>();
        if (decoded.routes().length == 0) {
            return texts;
        }
        RouteBatch batch = RouteBatch.read(decoded.routes());
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            if (cursor.kind().isRoute()) {
                long marking = cursor.marking();
                texts.add((cursor.attributeSet() < 0 ? "- " : "+ ")
                        + dev.silkroute.net.Addresses.ipv4((int) cursor.nlri().addressLow()) + "/"
                        + cursor.nlri().prefixLength()
                        + (cursor.nlri().hasPathId() ? " " + cursor.nlri().pathId() : "")
                        + (PathMarking.isMarked(marking)
                                ? " " + PathMarking.statusTexts(PathMarking.status(marking))
                                : "")
                        + (PathMarking.hasReason(marking) ? " " + PathMarking.reason(marking) : ""));
            }
        }
        return texts;
    }

    static final int VERSION_4 = BmpMessages.VERSION_4;
}
