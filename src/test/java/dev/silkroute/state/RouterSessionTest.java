package dev.silkroute.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every event in every phase of a router's session, and random sequences of events against an oracle. */
class RouterSessionTest {
    private static final String COLLECTOR = "c1";

    private static RouterSession phase(String text) {
        return switch (text) {
            case "unknown" -> RouterSession.UNKNOWN;
            case "up 5" -> new RouterSession.Up(5, COLLECTOR, 100);
            case "down 5" -> new RouterSession.Down(5, COLLECTOR, 100);
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static String text(RouterSession phase) {
        return switch (phase) {
            case RouterSession.Unknown _ -> "unknown";
            case RouterSession.Up up -> "up " + up.id() + " since " + up.since();
            case RouterSession.Down down -> "down " + down.id() + " since " + down.since();
        };
    }

    /** Events happen at time 200. A start is the ID of the latest start of the collector; 0 is before all sessions. */
    @ParameterizedTest
    @CsvSource({
        "unknown, session-up 5,          0, up 5 since 200",
        "unknown, session-up 5,          6, down 5 since 200",
        "unknown, session-down 5,        0, down 5 since 200",
        "unknown, mentioned 5,           0, up 5 since 200",
        "unknown, mentioned 5,           6, down 5 since 200",
        "unknown, collector-started,     6, unknown",
        "up 5,    session-up 4,          0, up 5 since 100",
        "up 5,    session-up 5,          0, up 5 since 100",
        "up 5,    session-up 5,          6, down 5 since 200",
        "up 5,    session-up 6,          0, up 6 since 200",
        "up 5,    session-up 6,          7, down 6 since 200",
        "up 5,    session-down 4,        0, up 5 since 100",
        "up 5,    session-down 5,        0, down 5 since 200",
        "up 5,    session-down 6,        0, down 6 since 200",
        "up 5,    mentioned 4,           0, up 5 since 100",
        "up 5,    mentioned 4,           6, up 5 since 100",
        "up 5,    mentioned 5,           0, up 5 since 100",
        "up 5,    mentioned 5,           6, down 5 since 200",
        "up 5,    mentioned 6,           0, up 6 since 200",
        "up 5,    mentioned 6,           7, down 6 since 200",
        "up 5,    collector-started,     5, up 5 since 100",
        "up 5,    collector-started,     6, down 5 since 200",
        "up 5,    other-collector,       6, up 5 since 100",
        "down 5,  session-up 4,          0, down 5 since 100",
        "down 5,  session-up 5,          0, up 5 since 200",
        "down 5,  session-up 5,          6, down 5 since 100",
        "down 5,  session-up 6,          0, up 6 since 200",
        "down 5,  session-up 6,          7, down 6 since 200",
        "down 5,  session-down 4,        0, down 5 since 100",
        "down 5,  session-down 5,        0, down 5 since 100",
        "down 5,  session-down 6,        0, down 6 since 200",
        "down 5,  mentioned 4,           0, down 5 since 100",
        "down 5,  mentioned 5,           0, down 5 since 100",
        "down 5,  mentioned 5,           6, down 5 since 100",
        "down 5,  mentioned 6,           0, up 6 since 200",
        "down 5,  mentioned 6,           7, down 6 since 200",
        "down 5,  collector-started,     6, down 5 since 100",
    })
    void givenAPhaseWhenAnEventComesThenTheNextPhaseFollows(String from, String event, long start, String next) {
        RouterSession phase = phase(from);
        String[] words = event.split(" ");
        RouterSession actual = switch (words[0]) {
            case "session-up" -> phase.sessionUp(Long.parseLong(words[1]), COLLECTOR, start, 200);
            case "session-down" -> phase.sessionDown(Long.parseLong(words[1]), COLLECTOR, 200);
            case "mentioned" -> phase.mentioned(Long.parseLong(words[1]), COLLECTOR, start, 200);
            case "collector-started" -> phase.collectorStarted(COLLECTOR, start, 200);
            case "other-collector" -> phase.collectorStarted("c2", start, 200);
            default -> throw new IllegalArgumentException(event);
        };
        assertThat(text(actual)).isEqualTo(next);
    }

    private enum Kind {
        SESSION_UP,
        SESSION_DOWN,
        MENTIONED,
        COLLECTOR_STARTED
    }

    private record Event(Kind kind, long session, String collector) {}

    /**
     * The definition: the newest session is up unless its collector has started since or its last Session Up or Session
     * Down is a Session Down.
     */
    private static String oracle(List<Event> events) {
        long newest = Long.MIN_VALUE;
        Map<String, Long> starts = new HashMap<>();
        for (Event event : events) {
            if (event.kind == Kind.COLLECTOR_STARTED) {
                starts.merge(event.collector, event.session, Math::max);
            } else {
                newest = Math.max(newest, event.session);
            }
        }
        boolean up = true;
        String collector = "";
        for (Event event : events) {
            if (event.session == newest && event.kind != Kind.COLLECTOR_STARTED) {
                collector = event.collector;
                up = event.kind == Kind.MENTIONED ? up : event.kind == Kind.SESSION_UP;
            }
        }
        boolean over = starts.getOrDefault(collector, Long.MIN_VALUE) > newest;
        return newest == Long.MIN_VALUE ? "unknown" : (up && !over ? "up " : "down ") + newest;
    }

    @Test
    void givenRandomEventsThenThePhaseIsWhatTheDefinitionGives() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            List<Event> events = new ArrayList<>();
            Map<String, Long> starts = new HashMap<>();
            RouterSession phase = RouterSession.UNKNOWN;
            String before = "unknown";
            long since = 0;
            for (int at = 1; at <= 60; at++) {
                long session = 1 + at / 8 + random.nextInt(3);
                String collector = session % 2 == 0 ? "c1" : "c2";
                Event event = new Event(Kind.values()[random.nextInt(4)], session, collector);
                events.add(event);
                long start = starts.getOrDefault(collector, RouterSession.NONE);
                phase = switch (event.kind) {
                    case SESSION_UP -> phase.sessionUp(session, collector, start, at);
                    case SESSION_DOWN -> phase.sessionDown(session, collector, at);
                    case MENTIONED -> phase.mentioned(session, collector, start, at);
                    case COLLECTOR_STARTED -> {
                        starts.merge(collector, session, Math::max);
                        yield phase.collectorStarted(collector, session, at);
                    }
                };
                String expected = oracle(events);
                since = expected.equals(before) ? since : at;
                before = expected;
                assertThat(phase.supersedes(session))
                        .as("seed %d, session %d after %s", seed, session, events)
                        .isEqualTo(events.stream()
                                .anyMatch(of -> of.kind != Kind.COLLECTOR_STARTED && of.session > session));
                assertThat(text(phase))
                        .as("seed %d after %s", seed, events)
                        .isEqualTo(expected.equals("unknown") ? expected : expected + " since " + since);
            }
        }
    }
}
