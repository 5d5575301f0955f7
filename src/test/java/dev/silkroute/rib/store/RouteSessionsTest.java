package dev.silkroute.rib.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.rib.BatchFeed;
import dev.silkroute.rib.memory.Epochs;
import dev.silkroute.rib.peer.PeerView;
import dev.silkroute.rib.peer.Registry;
import dev.silkroute.rib.peer.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The sessions of the routes of pages: one for the whole page, or one for each route while they differ. */
class RouteSessionsTest {
    private static final int PAGES = 3;
    private static final int ROUTES = PAGES * RouteRecords.PAGE_SIZE;
    private static final int FIRST_SESSION = 1;

    private final Epochs epochs = new Epochs();
    private final Stores stores = new Stores(64L << 20, 4, epochs);
    private final PeerView view;
    private final Table table;
    private final List<Integer> routes = new ArrayList<>();
    private final int[] expected = new int[(PAGES + 2) * RouteRecords.PAGE_SIZE];

    RouteSessionsTest() {
        Registry registry = new Registry(stores.tables, stores.memory);
        view = registry.make(registry.router("r"), BatchFeed.peer(1, RibView.LOC_RIB))
                .makeView(RibView.LOC_RIB);
        view.announced(FIRST_SESSION);
        table = registry.table(view, Family.IPV4_UNICAST);
        for (int i = 0; i < ROUTES; i++) {
            add();
        }
    }

    private void add() {
        int route = stores.routes.claim(table);
        stores.routes.show(route);
        routes.add(route);
        expected[route] = view.ordinal();
    }

    private void confirm(int route) {
        stores.routes.session(route, view.ordinal());
        expected[route] = view.ordinal();
    }

    private void remove(int route) {
        stores.routes.hide(route);
        int page = stores.routes.release(stores.tables, route);
        if (page != 0) {
            stores.routes.releasePage(page);
        }
    }

    private void assertSessions() {
        for (int route : routes) {
            assertThat(stores.routes.session(route)).as("route %d", route).isEqualTo(expected[route]);
        }
    }

    /** Reclaims what no reader has, and returns the number of records that pages have besides their headers. */
    private int records() {
        stores.reclaim();
        stores.reclaim();
        return stores.routes.used() - PAGES;
    }

    @Test
    void pagesOfOneSessionHaveNoRecords() {
        assertSessions();
        assertThat(records()).isZero();
    }

    @Test
    void aPageHasARecordWhileItsRoutesHaveDifferentSessions() {
        view.announced(FIRST_SESSION + 1);
        List<Integer> order = new ArrayList<>(routes);
        Collections.shuffle(order, new Random(1));
        for (int i = 0; i < ROUTES - 1; i++) {
            confirm(order.get(i));
        }
        assertSessions();
        assertThat(records()).isEqualTo(1);

        confirm(order.getLast());

        assertSessions();
        assertThat(records()).isZero();
    }

    @Test
    void aThirdSessionIsDistinguishedFromTheFirstTwo() {
        view.announced(FIRST_SESSION + 1);
        confirm(routes.get(5));
        view.announced(FIRST_SESSION + 2);
        confirm(routes.get(63));
        assertThat(expected[routes.get(4)]).isNotEqualTo(expected[routes.get(5)]);
        assertThat(expected[routes.get(5)]).isNotEqualTo(expected[routes.get(63)]);
        assertSessions();
        assertThat(records()).isEqualTo(1);
    }

    @Test
    void theRecordGoesWithTheRoutesOfTheOlderSession() {
        view.announced(FIRST_SESSION + 1);
        for (int i = 0; i < RouteRecords.PAGE_SIZE; i += 2) {
            confirm(routes.get(i));
        }
        assertThat(records()).isEqualTo(1);
        for (int i = 1; i < RouteRecords.PAGE_SIZE; i += 2) {
            remove(routes.get(i));
        }
        routes.removeIf(route -> route < 2 * RouteRecords.PAGE_SIZE && route % 2 == 1);
        assertSessions();
        assertThat(records()).isZero();
    }

    @Test
    void aNewRouteInAPageOfAnOlderSessionHasTheNewerOne() {
        remove(routes.get(7));
        routes.remove(7);
        view.announced(FIRST_SESSION + 1);
        add();
        assertThat(expected[routes.getLast()]).isNotEqualTo(expected[routes.getFirst()]);
        assertSessions();
        assertThat(records()).isEqualTo(1);
    }

    @Test
    void aReleasedPageReleasesItsRecord() {
        view.announced(FIRST_SESSION + 1);
        confirm(routes.getFirst());
        assertThat(records()).isEqualTo(1);
        for (int route : routes) {
            remove(route);
        }
        stores.reclaim();
        stores.reclaim();
        assertThat(stores.routes.used()).isZero();
    }

    @Test
    void withoutMemoryOnlyPagesWithARecordTakeAnotherSession() {
        view.announced(FIRST_SESSION + 1);
        int first = routes.getFirst();
        int last = routes.getLast();
        int next = view.ordinal();
        stores.memory.reserve(stores.memory.available());
        assertThat(stores.routes.canSetSession(first, next)).isFalse();
        assertThat(stores.routes.canSetSession(first, expected[first])).isTrue();

        stores.memory.reserve(-(1L << 20));
        confirm(first);
        stores.memory.reserve(stores.memory.available());

        assertThat(stores.routes.canSetSession(first + 1, next)).isTrue();
        assertThat(stores.routes.canSetSession(last, next)).isTrue(); // the segment has room
    }
}
