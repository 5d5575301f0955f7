package dev.silkroute.bgp;

import dev.silkroute.net.Family;
import dev.silkroute.net.JsonText;
import java.util.Arrays;

/**
 * What decoding the UPDATEs of one peer and view depends on: what the OPENs of its Peer Up agree on, and what its
 * messages have shown since. Decoding a message adds to the latter.
 *
 * <p>Not thread-safe: it belongs to its session.
 */
public final class UpdateContext {
    /** Families that are learnt about; a real peer has a handful, and a hostile one gets no more memory than this. */
    static final int MAX_FAMILIES = 64;

    private final AddPathPolicy policy;
    private final AddPathFamilies agreed;
    private int[] families = new int[4];
    private AddPathReading[] readings = new AddPathReading[4];
    private int size;
    private boolean fourOctetAs;
    private boolean asSizeMismatch;
    private boolean learnt;

    /**
     * @param fourOctetAs the AS number size to try first; AS_PATH itself decides
     * @param agreed the families whose NLRI carry path identifiers, as the OPENs say
     */
    public UpdateContext(boolean fourOctetAs, AddPathFamilies agreed, AddPathPolicy policy) {
        this.fourOctetAs = fourOctetAs;
        this.agreed = agreed;
        this.policy = policy;
    }

    /** A context that learns nothing: what is given holds. */
    public static UpdateContext strict(boolean fourOctetAs, AddPathFamilies agreed) {
        return new UpdateContext(fourOctetAs, agreed, AddPathPolicy.STRICT);
    }

    /**
     * A copy that reads as this one does now and learns nothing: for messages that are no news of the peer's routes.
     */
    public UpdateContext frozen() {
        AddPathPolicy still = policy == AddPathPolicy.HEURISTIC ? AddPathPolicy.STRICT : policy;
        UpdateContext copy = new UpdateContext(fourOctetAs, agreed, still);
        copy.families = families.clone();
        copy.readings = new AddPathReading[readings.length];
        copy.size = size;
        for (int i = 0; i < size; i++) {
            copy.readings[i] = new AddPathReading(readings[i].pathIdentifiers(), AddPathPolicy.STRICT);
        }
        return copy;
    }

    public boolean fourOctetAs() {
        return fourOctetAs;
    }

    /** The A flag of the next message may change what to try first. */
    public void expectFourOctetAs(boolean four) {
        fourOctetAs = four;
    }

    /** What is known of a family's path identifiers. */
    public AddPathReading addPath(int family) {
        for (int i = 0; i < size; i++) {
            if (families[i] == family) {
                return readings[i];
            }
        }
        return add(family);
    }

    private AddPathReading add(int family) {
        if (size == MAX_FAMILIES) {
            return new AddPathReading(agreed.contains(family), AddPathPolicy.STRICT);
        }
        if (size == families.length) {
            families = Arrays.copyOf(families, 2 * size);
            readings = Arrays.copyOf(readings, 2 * size);
        }
        families[size] = family;
        readings[size] = new AddPathReading(agreed.contains(family), policy);
        return readings[size++];
    }

    /** An AS_PATH had the other AS number size than was to be expected. */
    public void asSizeMismatch() {
        learnt |= !asSizeMismatch;
        asSizeMismatch = true;
    }

    /** Whether something has come to light since the last call that the OPENs and flags do not say. */
    public boolean takeNews() {
        boolean news = learnt;
        learnt = false;
        for (int i = 0; i < size; i++) {
            news |= readings[i].takeTurn();
        }
        return news;
    }

    /**
     * Where decoding departs from what the OPENs and flags say: {@code {"add_path": {family: how it is read},
     * "as_number_size": "mixed"}}.
     */
    public String toJson() {
        JsonText json = new JsonText().begin().name("add_path").begin();
        for (int i = 0; i < size; i++) {
            AddPathReading reading = readings[i];
            if (reading.mismatch()) {
                json.field(
                        Family.text(families[i]),
                        reading.pathIdentifiers() ? "sent, not announced" : "announced, not sent");
            }
        }
        json.end();
        if (asSizeMismatch) {
            json.field("as_number_size", "not as announced");
        }
        return json.end().toString();
    }
}
