package dev.silkroute.collector.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DumpPlacesTest {
    private static final InetAddress A = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress B = InetAddress.ofLiteral("192.0.2.2");
    private static final InetAddress C = InetAddress.ofLiteral("192.0.2.3");

    private final List<String> granted = new ArrayList<>();
    private long seconds;

    private DumpPlaces places(int number) {
        return new DumpPlaces(
                new DumpLimits(number, Duration.ofSeconds(2), Duration.ofMinutes(5)),
                () -> TimeUnit.SECONDS.toNanos(seconds));
    }

    private DumpPlaces.Place request(DumpPlaces places, InetAddress address, String session) {
        return places.request(address, () -> granted.add(session));
    }

    @Test
    void givenFreePlacesThenSessionsHaveThemAtOnce() {
        DumpPlaces places = places(2);
        assertThat(request(places, A, "a").isGranted()).isTrue();
        assertThat(request(places, A, "b").isGranted()).isTrue();
        assertThat(request(places, A, "c").isGranted()).isFalse();
        assertThat(places.taken()).isEqualTo(2);
        assertThat(places.waiting()).isEqualTo(1);
        assertThat(granted).isEmpty();
    }

    @Test
    void givenSessionsOfOneAddressWhenAPlaceIsFreeThenTheLongestWaitingHasIt() {
        DumpPlaces places = places(1);
        DumpPlaces.Place first = request(places, A, "first");
        DumpPlaces.Place second = request(places, A, "second");
        request(places, A, "third");
        places.leave(first, DumpEnd.END_OF_RIB);
        assertThat(granted).containsExactly("second");
        assertThat(second.isGranted()).isTrue();
        places.leave(second, DumpEnd.END_OF_RIB);
        assertThat(granted).containsExactly("second", "third");
        assertThat(places.ended(DumpEnd.END_OF_RIB)).isEqualTo(2);
    }

    @Test
    void givenAnAddressWithManySessionsThenThoseThatAreAloneAreBeforeItsFurtherOnes() {
        DumpPlaces places = places(2);
        DumpPlaces.Place first = request(places, A, "a1");
        DumpPlaces.Place second = request(places, A, "a2");
        for (int i = 3; i <= 500; i++) {
            request(places, A, "a" + i);
        }
        request(places, B, "b");
        request(places, C, "c");
        places.leave(first, DumpEnd.END_OF_RIB);
        assertThat(granted).containsExactly("b");
        places.leave(second, DumpEnd.END_OF_RIB);
        assertThat(granted)
                .as("nothing of A has a place, and it has waited longer")
                .containsExactly("b", "a3");
    }

    @Test
    void givenAddressesWithAsManyPlacesThenTheLongestWaitingIsNext() {
        DumpPlaces places = places(1);
        DumpPlaces.Place first = request(places, A, "a");
        seconds = 1;
        request(places, C, "c");
        seconds = 2;
        request(places, B, "b");
        places.leave(first, DumpEnd.QUIET);
        assertThat(granted).containsExactly("c");
    }

    @Test
    void givenAWaitingSessionThatEndsThenItsTurnIsPassedOver() {
        DumpPlaces places = places(1);
        DumpPlaces.Place first = request(places, A, "first");
        DumpPlaces.Place second = request(places, B, "second");
        request(places, C, "third");
        places.leave(second, DumpEnd.SESSION_ENDED);
        assertThat(places.waiting()).isEqualTo(1);
        assertThat(places.ended(DumpEnd.SESSION_ENDED)).as("it had no place").isZero();
        places.leave(first, DumpEnd.AT_LATEST);
        assertThat(granted).containsExactly("third");
    }

    @Test
    void givenAPlaceThatIsGivenBackTwiceThenOneSessionHasIt() {
        DumpPlaces places = places(1);
        DumpPlaces.Place first = request(places, A, "first");
        request(places, B, "second");
        request(places, C, "third");
        places.leave(first, DumpEnd.END_OF_RIB);
        places.leave(first, DumpEnd.SESSION_ENDED);
        assertThat(granted).containsExactly("second");
        assertThat(places.taken()).isEqualTo(1);
        assertThat(places.waiting()).isEqualTo(1);
    }

    @Test
    void givenWaitingSessionsThenTheLongestWaitIsKnown() {
        DumpPlaces places = places(1);
        DumpPlaces.Place first = request(places, A, "first");
        assertThat(places.longestWaitSeconds()).isZero();
        DumpPlaces.Place second = request(places, B, "second");
        seconds = 3;
        request(places, C, "third");
        seconds = 5;
        assertThat(places.longestWaitSeconds()).isEqualTo(5);
        places.leave(first, DumpEnd.END_OF_RIB);
        assertThat(places.longestWaitSeconds()).isEqualTo(2);
        places.leave(second, DumpEnd.END_OF_RIB);
        assertThat(places.longestWaitSeconds()).isZero();
    }

    @Test
    void givenNoLimitThenNobodyWaits() {
        DumpPlaces places = places(0);
        for (int i = 0; i < 1000; i++) {
            assertThat(request(places, A, "a" + i).isGranted()).isTrue();
        }
        assertThat(places.taken()).isEqualTo(1000);
    }

    @Test
    void limitsAreChecked() {
        assertThatThrownBy(() -> places(-1)).hasMessageContaining("must not be negative, it is -1");
        assertThatThrownBy(() -> new DumpLimits(1, Duration.ZERO, Duration.ofMinutes(5)))
                .hasMessageContaining("must be positive, they are PT0S and PT5M");
    }
}
