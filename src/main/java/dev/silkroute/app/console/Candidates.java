package dev.silkroute.app.console;

import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.bgp.RibView;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.Validity;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** The values of an option that help shows and completion scripts offer. The station checks the value it receives. */
public abstract class Candidates implements Iterable<String> {
    private final List<String> values;

    private Candidates(String... values) {
        this.values = List.of(values);
    }

    @Override
    public Iterator<String> iterator() {
        return values.iterator();
    }

    public static final class Views extends Candidates {
        public Views() {
            super(Stream.of(RibView.values()).map(RibView::text).toArray(String[]::new));
        }
    }

    public static final class Matches extends Candidates {
        public Matches() {
            super("exact", "longest", "covering", "covered");
        }
    }

    public static final class PeerStates extends Candidates {
        public PeerStates() {
            super("up", "down", "stale", "unannounced");
        }
    }

    public static final class TableStates extends Candidates {
        public TableStates() {
            super("equal", "differs", "unknown");
        }
    }

    public static final class AlertStates extends Candidates {
        public AlertStates() {
            super("open", "closed", "all");
        }
    }

    public static final class AlertRules extends Candidates {
        public AlertRules() {
            super(Stream.of(AlertRule.values()).map(AlertRule::text).toArray(String[]::new));
        }
    }

    /** Validities of the origins of routes, by VRPs. */
    public static final class Validities extends Candidates {
        public Validities() {
            super(Stream.of(Validity.values()).map(Validity::text).toArray(String[]::new));
        }
    }

    /** Verdicts on AS paths, by ASPAs. */
    public static final class Verdicts extends Candidates {
        public Verdicts() {
            super(Stream.of(AspaVerdict.values()).map(AspaVerdict::text).toArray(String[]::new));
        }
    }

    public static final class Copies extends Candidates {
        public Copies() {
            super("database", "twin", "routers");
        }
    }
}
