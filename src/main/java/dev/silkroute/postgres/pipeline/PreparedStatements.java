package dev.silkroute.postgres.pipeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The prepared statements that a connection caches, least recently used first. Not thread-safe. */
final class PreparedStatements {
    private final int bound;
    private final LinkedHashMap<String, PreparedSql> statements = new LinkedHashMap<>(16, 0.75f, true);

    PreparedStatements(int bound) {
        this.bound = bound;
    }

    @Nullable
    PreparedSql get(String sql) {
        return statements.get(sql);
    }

    void putAll(Map<String, PreparedSql> prepared) {
        statements.putAll(prepared);
    }

    /** Removes a statement and closes it. */
    void remove(String sql) {
        PreparedSql prepared = statements.remove(sql);
        if (prepared != null) {
            prepared.statement().close();
        }
    }

    List<String> missing(Collection<String> wanted) {
        List<String> missing = new ArrayList<>();
        for (String sql : wanted) {
            if (!statements.containsKey(sql)) {
                missing.add(sql);
            }
        }
        return missing;
    }

    /** Closes the least recently used statements to make room for more, except those that are needed now. */
    void makeRoom(int more, Set<String> needed) {
        Iterator<Map.Entry<String, PreparedSql>> eldest = statements.entrySet().iterator();
        int over = statements.size() + more - bound;
        while (over > 0 && eldest.hasNext()) {
            Map.Entry<String, PreparedSql> entry = eldest.next();
            if (!needed.contains(entry.getKey())) {
                entry.getValue().statement().close();
                eldest.remove();
                over--;
            }
        }
    }
}
