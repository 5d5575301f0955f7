package dev.silkroute.app.collector;

import static dev.silkroute.fixture.CollidingKeys.assertKeyed;
import static dev.silkroute.fixture.CollidingKeys.text;

import org.junit.jupiter.api.Test;

class SessionGaugesTest {
    @Test
    void routersWhoseUnkeyedHashesAreEqualAreSpread() {
        assertKeyed(i -> new SessionGauges.Router(text(i), "192.0.2.1"));
        assertKeyed(i -> new SessionGauges.Router(text(i), text(i)));
    }
}
