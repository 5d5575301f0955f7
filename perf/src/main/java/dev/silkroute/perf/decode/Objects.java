package dev.silkroute.perf.decode;

import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;

/**
 * Makes the objects and texts that JSON, SQL and tests work with: of each distinct attribute set once, and walks the
 * routes.
 */
final class Objects implements RecordReader {
    private long sum;

    @Override
    public void read(byte[] record) {
        if (record.length == 0) {
            return;
        }
        RouteBatch batch = RouteBatch.read(record);
        for (int i = 0; i < batch.attributeSetCount(); i++) {
            PathAttributes set = PathAttributes.decode(batch.bytes(), batch.attributesFrom(i), batch.attributesTo(i));
            sum += String.valueOf(set.origin()).length();
            sum += set.asns().size();
            sum += String.valueOf(set.nextHop()).length();
            sum += set.med().orElse(0) + set.localPref().orElse(0);
            sum += set.communities().size();
            sum += set.largeCommunities().size();
            sum += set.extendedCommunities().size();
        }
        for (RouteCursor cursor = batch.cursor(); cursor.next(); ) {
            sum += cursor.kind().isRoute() ? cursor.nlri().addressLow() : 0;
        }
    }

    @Override
    public long sum() {
        return sum;
    }
}
