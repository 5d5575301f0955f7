package dev.silkroute.live;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.AsPath.SegmentType;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The common fields of the events of a group, for filters and JSON: one message of the stream. Attribute sets are
 * decoded when first needed, once for all messages of the batch. Not thread-safe.
 */
final class MessageView implements MessageFields {
    private final RouteBatch batch;
    private final @Nullable PathAttributes[] sets;
    private final @Nullable List<String>[] paths;
    private final @Nullable String[] fields;

    private EventKind kind = EventKind.SESSION_UP;
    private @Nullable PeerEntry peer;
    private int family;
    private int set;
    private long sequence;
    private boolean plain;
    private boolean announcedForm;
    private boolean pathIds;
    private int nlriFrom;
    private int nlriTo;

    @SuppressWarnings({"unchecked", "rawtypes"})
    MessageView(RouteBatch batch) {
        this.batch = batch;
        sets = new PathAttributes[batch.attributeSetCount()];
        paths = new List[batch.attributeSetCount()];
        fields = new String[batch.attributeSetCount()];
    }

    /** Moves to the group of a cursor's current event. */
    void enter(RouteCursor first) {
        kind = first.kind();
        peer = first.peerIndex() < 0 ? null : batch.peer(first.peerIndex());
        family = first.family();
        set = first.attributeSet();
        sequence = first.sequence();
        announcedForm = first.hasAnnouncedForm();
        pathIds = kind.isRoute() && first.nlri().hasPathId();
        nlriFrom = kind.isRoute() ? first.nlri().from() : 0;
        nlriTo = nlriFrom;
        plain = Family.isUnicast(family);
    }

    RouteBatch batch() {
        return batch;
    }

    @Override
    public String router() {
        return batch.router();
    }

    EventKind kind() {
        return kind;
    }

    @Override
    public @Nullable PeerEntry peer() {
        return peer;
    }

    int family() {
        return family;
    }

    long sequence() {
        return sequence;
    }

    @Override
    public MessageType type() {
        return MessageType.of(kind);
    }

    @Override
    public @Nullable List<String> announcedPath() {
        return kind == EventKind.ANNOUNCE ? path() : null;
    }

    @Override
    public String familyName() {
        return family == 0 ? "" : Family.text(family);
    }

    /**
     * Returns whether RIS Live's form has a field for the routes: they are of the global table, unicast or labelled,
     * and announcements have a next hop.
     */
    boolean isPlain() {
        if (!plain || kind != EventKind.ANNOUNCE) {
            return plain;
        }
        PathAttributes attributes = attributes();
        NextHop nextHop = attributes == null ? null : attributes.nextHop();
        return nextHop != null && nextHop.isAddress();
    }

    /** Returns the attributes of an announcement; null for other messages, or if the set cannot be decoded. */
    @Nullable
    PathAttributes attributes() {
        if (set < 0) {
            return null;
        }
        PathAttributes known = sets[set];
        if (known == null) {
            try {
                known = PathAttributes.decode(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set));
            } catch (DecodeException e) {
                return null;
            }
            sets[set] = known;
        }
        return known;
    }

    /** Returns the elements of the AS path as {@link PathPattern} compares them; empty without a path. */
    List<String> path() {
        if (set < 0) {
            return List.of();
        }
        List<String> known = paths[set];
        if (known == null) {
            PathAttributes attributes = attributes();
            AsPath path = attributes == null ? null : attributes.asPath();
            known = path == null ? List.of() : elements(path);
            paths[set] = known;
        }
        return known;
    }

    private static List<String> elements(AsPath path) {
        List<String> elements = new ArrayList<>();
        for (AsPath.Segment segment : path.segments()) {
            if (segment.type() == SegmentType.SET || segment.type() == SegmentType.CONFED_SET) {
                elements.add(PathPattern.set(segment.asns()));
            } else {
                segment.asns().forEach(asn -> elements.add(Long.toString(asn)));
            }
        }
        return elements;
    }

    @Override
    public boolean has(String field) {
        PathAttributes attributes = attributes();
        return switch (field) {
            case "announcements" -> kind == EventKind.ANNOUNCE && isPlain();
            case "withdrawals" -> kind == EventKind.WITHDRAW && plain;
            case "state" -> MessageType.of(kind) == MessageType.RIS_PEER_STATE;
            case "path" -> has(attributes, AttributeCode.AS_PATH);
            case "origin" -> has(attributes, AttributeCode.ORIGIN);
            case "community" -> has(attributes, AttributeCode.COMMUNITIES);
            case "med" -> has(attributes, AttributeCode.MULTI_EXIT_DISC);
            case "aggregator" -> has(attributes, AttributeCode.AGGREGATOR);
            default -> false;
        };
    }

    private static boolean has(@Nullable PathAttributes attributes, int type) {
        return attributes != null && attributes.has(type);
    }

    /** Extends the message by an event of the group. */
    void add(NlriReader nlri) {
        nlriTo = nlri.to();
    }

    /** Writes the NLRI of all events that were added, without path identifiers. */
    void writeNlri(ByteSink out) {
        byte[] bytes = batch.bytes();
        if (!pathIds) {
            out.bytes(bytes, nlriFrom, nlriTo);
            return;
        }
        NlriReader nlri = new NlriReader();
        for (int at = nlriFrom - Integer.BYTES; at < nlriTo; at = nlri.to()) {
            nlri.read(family, bytes, at, nlriTo, true, !announcedForm);
            out.bytes(bytes, nlri.from(), nlri.to());
        }
    }

    /** The position in the batch at which the canonical bytes of an announcement's attributes begin. */
    int attributesFrom() {
        return batch.attributesFrom(set);
    }

    int attributesTo() {
        return batch.attributesTo(set);
    }

    /** The JSON fields of the attributes, of an announcement; written once for all messages that share the set. */
    String attributeFields() {
        String known = fields[set];
        if (known == null) {
            known = RisLiveJson.attributeFields(this, attributesFrom(), attributesTo());
            fields[set] = known;
        }
        return known;
    }
}
