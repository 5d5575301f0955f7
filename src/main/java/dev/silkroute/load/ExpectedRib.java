package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import java.util.function.Consumer;

/**
 * What a station should hold of one peer in one view and family.
 *
 * @param peerAddress as in {@code v_rib}
 * @param routes how many
 * @param table tells them one by one; as they are when it is asked for, whatever the router does meanwhile
 */
public record ExpectedRib(
        String router,
        String peerAddress,
        RibView view,
        int family,
        int routes,
        Consumer<Consumer<ExpectedRoute>> table) {
    public static final int NO_PATH_ID = -1;
}
