package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import java.util.function.Consumer;

/**
 * What a station should hold of one peer in one view and family.
 *
 * @param peerAddress as in {@code v_rib}
 * @param routes how many
 * @param table tells them one by one
 */
public record ExpectedRib(
        String router, String peerAddress, RibView view, int family, int routes, Consumer<Visitor> table) {
    public static final int NO_PATH_ID = -1;

    /** Hears of each route. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * @param nlri canonical text
         * @param pathId {@link #NO_PATH_ID} without ADD-PATH
         * @param asPath as in {@code v_rib}
         */
        void route(String nlri, int pathId, String asPath);
    }
}
