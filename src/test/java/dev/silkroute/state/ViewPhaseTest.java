package dev.silkroute.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every event in every phase of a peer's view, and random sequences of events against an oracle that keeps routes. */
class ViewPhaseTest {
    private static final StateTimeouts TIMEOUTS = new StateTimeouts(100, 30);

    private static ViewPhase phase(String text) {
        return switch (text) {
            case "unknown" -> ViewPhase.UNKNOWN;
            case "empty 5" -> new ViewPhase.Empty(5);
            case "populated 5 since 3" -> new ViewPhase.Populated(5, 3);
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static String text(ViewPhase phase) {
        return switch (phase) {
            case ViewPhase.Empty empty ->
                empty.session() == RouterSession.NONE ? "unknown" : "empty " + empty.session();
            case ViewPhase.Populated populated -> "populated " + populated.session() + " since " + populated.since();
        };
    }

    /** The effect "ends" is that the routes of the view end. Checks happen at time 200. */
    @ParameterizedTest
    @CsvSource({
        "unknown,             mentioned 5,     empty 5,             -",
        "unknown,             announced 5,     populated 5 since 5, -",
        "unknown,             peer-down 5,     unknown,             -",
        "unknown,             down too long,   unknown,             -",
        "unknown,             back too long,   unknown,             -",
        "empty 5,             mentioned 4,     empty 5,             -",
        "empty 5,             mentioned 5,     empty 5,             -",
        "empty 5,             mentioned 6,     empty 6,             -",
        "empty 5,             announced 4,     empty 5,             -",
        "empty 5,             announced 5,     populated 5 since 5, -",
        "empty 5,             announced 6,     populated 6 since 6, -",
        "empty 5,             peer-down 4,     empty 5,             -",
        "empty 5,             peer-down 5,     empty 5,             -",
        "empty 5,             peer-down 6,     empty 5,             -",
        "empty 5,             down too long,   empty 5,             -",
        "empty 5,             back too long,   empty 5,             -",
        "populated 5 since 3, mentioned 4,     populated 5 since 3, -",
        "populated 5 since 3, mentioned 5,     populated 5 since 3, -",
        "populated 5 since 3, mentioned 6,     populated 6 since 3, -",
        "populated 5 since 3, announced 4,     populated 5 since 3, -",
        "populated 5 since 3, announced 5,     populated 5 since 3, -",
        "populated 5 since 3, announced 6,     populated 6 since 3, -",
        "populated 5 since 3, peer-down 4,     populated 5 since 3, -",
        "populated 5 since 3, peer-down 5,     empty 5,             ends",
        "populated 5 since 3, peer-down 6,     empty 6,             ends",
        "populated 5 since 3, down,            populated 5 since 3, -",
        "populated 5 since 3, down too long,   empty 7,             ends",
        "populated 5 since 3, back,            populated 5 since 3, -",
        "populated 5 since 3, back too long,   empty 7,             ends",
        "populated 5 since 3, still connected, populated 5 since 3, -",
        "populated 5 since 3, unknown router,  populated 5 since 3, -",
    })
    void givenAPhaseWhenAnEventComesThenTheNextPhaseFollows(String from, String event, String next, String effect) {
        ViewPhase phase = phase(from);
        ViewPhase actual = switch (event) {
            case "down" -> phase.checked(new RouterSession.Down(7, "c", 100), TIMEOUTS, 200);
            case "down too long" -> phase.checked(new RouterSession.Down(7, "c", 99), TIMEOUTS, 200);
            case "back" -> phase.checked(new RouterSession.Up(7, "c", 170), TIMEOUTS, 200);
            case "back too long" -> phase.checked(new RouterSession.Up(7, "c", 169), TIMEOUTS, 200);
            case "still connected" -> phase.checked(new RouterSession.Up(5, "c", 0), TIMEOUTS, 200);
            case "unknown router" -> phase.checked(RouterSession.UNKNOWN, TIMEOUTS, 200);
            default -> {
                long session = Long.parseLong(event.substring(event.length() - 1));
                yield event.startsWith("mentioned")
                        ? phase.mentioned(session)
                        : event.startsWith("announced") ? phase.announced(session) : phase.peerDown(session);
            }
        };
        assertThat(text(actual)).isEqualTo(next);
        assertThat(phase.endsRoutes(actual)).isEqualTo(effect.equals("ends"));
    }

    @ParameterizedTest
    @CsvSource({
        "unknown,             5, true,  false, false",
        "empty 5,             4, false, false, false",
        "empty 5,             5, true,  false, false",
        "empty 5,             6, true,  false, false",
        "populated 5 since 3, 2, false, false, true",
        "populated 5 since 3, 3, false, false, true",
        "populated 5 since 3, 4, false, false, false",
        "populated 5 since 3, 5, true,  true,  false",
        "populated 5 since 3, 6, true,  true,  false",
    })
    void givenAPhaseThenItDeterminesWhichSessionsCount(
            String from, long session, boolean accepts, boolean mayHoldOlder, boolean began) {
        ViewPhase phase = phase(from);
        assertThat(phase.accepts(session)).isEqualTo(accepts);
        assertThat(phase.mayHoldOlderThan(session)).isEqualTo(mayHoldOlder);
        assertThat(phase.beganIn(session)).isEqualTo(began);
    }

    /** The definition, with the sessions of the view's announcements kept one by one. */
    private static final class Oracle {
        private long newest = RouterSession.NONE;
        private final List<Long> announced = new ArrayList<>();

        private String text() {
            if (announced.isEmpty()) {
                return newest == RouterSession.NONE ? "unknown" : "empty " + newest;
            }
            long oldest = announced.stream().mapToLong(Long::longValue).min().orElseThrow();
            return "populated " + newest + " since " + oldest;
        }

        private boolean end(long session) {
            boolean ends = !announced.isEmpty();
            if (ends) {
                newest = Math.max(newest, session);
                announced.clear();
            }
            return ends;
        }
    }

    @Test
    void givenRandomEventsThenThePhaseIsWhatTheDefinitionGives() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Oracle oracle = new Oracle();
            ViewPhase phase = ViewPhase.UNKNOWN;
            StringBuilder walk = new StringBuilder();
            for (int i = 0; i < 60; i++) {
                long session = 1 + i / 8 + random.nextInt(3);
                int event = random.nextInt(4);
                walk.append(event).append('/').append(session).append(' ');
                ViewPhase before = phase;
                boolean ends = false;
                switch (event) {
                    case 0 -> {
                        phase = phase.mentioned(session);
                        oracle.newest = Math.max(oracle.newest, session);
                    }
                    case 1 -> {
                        phase = phase.announced(session);
                        if (session >= oracle.newest) {
                            oracle.newest = session;
                            oracle.announced.add(session);
                        }
                    }
                    case 2 -> {
                        phase = phase.peerDown(session);
                        ends = session >= oracle.newest && oracle.end(session);
                    }
                    default -> {
                        phase = phase.checked(new RouterSession.Up(session, "c", 0), TIMEOUTS, 200);
                        ends = session > oracle.newest && oracle.end(session);
                    }
                }
                assertThat(text(phase)).as("seed %d after %s", seed, walk).isEqualTo(oracle.text());
                assertThat(before.endsRoutes(phase))
                        .as("seed %d after %s", seed, walk)
                        .isEqualTo(ends);
                for (long other = 0; other < 12; other++) {
                    long than = other;
                    assertThat(phase.mayHoldOlderThan(other))
                            .as("seed %d after %s", seed, walk)
                            .isEqualTo(other >= oracle.newest
                                    && oracle.announced.stream().anyMatch(s -> s < than));
                }
            }
        }
    }
}
