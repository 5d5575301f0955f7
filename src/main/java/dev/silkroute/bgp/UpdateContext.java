package dev.silkroute.bgp;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.Family;
import dev.silkroute.net.Json;
import java.io.IOException;
import java.util.Arrays;

/**
 * The state that decoding the UPDATEs of one peer and view depends on: what the OPENs of its Peer Up have negotiated,
 * and what its messages have shown since. Decoding adds to the latter.
 *
 * <p>Not thread-safe: it belongs to its session.
 */
public final class UpdateContext {
    /**
     * Number of families with a reading of their own. A real peer has a handful; a hostile one must not consume more
     * memory.
     */
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
     * @param agreed the families whose NLRI carry path identifiers according to the OPENs
     */
    public UpdateContext(boolean fourOctetAs, AddPathFamilies agreed, AddPathPolicy policy) {
        this.fourOctetAs = fourOctetAs;
        this.agreed = agreed;
        this.policy = policy;
    }

    /** Returns a context that does not learn. */
    public static UpdateContext strict(boolean fourOctetAs, AddPathFamilies agreed) {
        return new UpdateContext(fourOctetAs, agreed, AddPathPolicy.STRICT);
    }

    /** Returns a copy that reads as this context does now and does not learn, for messages that are not current. */
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

    /** Sets the AS number size to try first, according to the A flag of the next message. */
    public void expectFourOctetAs(boolean four) {
        fourOctetAs = four;
    }

    /** Returns the reading of a family. */
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

    /** Records that an AS_PATH has another AS number size than expected. */
    public void asSizeMismatch() {
        learnt |= !asSizeMismatch;
        asSizeMismatch = true;
    }

    /** Returns whether something was learned since the previous call that the OPENs and flags do not indicate. */
    public boolean takeNews() {
        boolean news = learnt;
        learnt = false;
        for (int i = 0; i < size; i++) {
            news |= readings[i].takeTurn();
        }
        return news;
    }

    /**
     * Returns what decoding has learned that the OPENs and flags do not indicate, as JSON: {@code add_path} has the
     * families that are read against the negotiation, and {@code as_number_size} is present if AS numbers have another
     * size than indicated.
     */
    public String toJson() {
        return Json.string(this::write);
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeObjectFieldStart("add_path");
        for (int i = 0; i < size; i++) {
            if (readings[i].mismatch()) {
                json.writeStringField(
                        Family.text(families[i]),
                        readings[i].pathIdentifiers() ? "sent, not announced" : "announced, not sent");
            }
        }
        json.writeEndObject();
        if (asSizeMismatch) {
            json.writeStringField("as_number_size", "not as announced");
        }
        json.writeEndObject();
    }
}
