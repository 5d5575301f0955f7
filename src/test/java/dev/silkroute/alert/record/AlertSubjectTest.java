package dev.silkroute.alert.record;

import static dev.silkroute.fixture.CollidingKeys.assertKeyed;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static dev.silkroute.fixture.CollidingKeys.text;

import dev.silkroute.net.IpPrefix;
import org.junit.jupiter.api.Test;

class AlertSubjectTest {
    @Test
    void subjectsWhoseUnkeyedHashesAreEqualAreSpread() {
        assertKeyed(i -> new AlertSubject.OfRouter(text(i)));
        assertKeyed(i -> new AlertSubject.OfPeer(new VantagePoint(text(i), "192.0.2.1", 64_500)));
        assertKeyed(i -> new AlertSubject.OfPeer(new VantagePoint("r", text(i), 64_500)));
        assertKeyed(i -> new AlertSubject.OfPrefix(new IpPrefix(true, folded(i), 0, 64)));
    }
}
