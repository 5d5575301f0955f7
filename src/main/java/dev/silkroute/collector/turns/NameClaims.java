package dev.silkroute.collector.turns;

import dev.silkroute.session.identity.RouterIdentity;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The owners of routers' names, over all collectors and restarts: a name that a router claims belongs to the source
 * address that claimed it first. A name that is configured or certified belongs to the router with that configuration
 * or certificate, from any address.
 *
 * <p>All collectors append to one log and apply its records in the same order, so that they agree on the owners. A
 * claim takes effect when its record is read from the log, unless another claim precedes it. Thread-safe.
 */
public final class NameClaims implements NameOwners {
    /** Bounds the memory of a collector whose routers invent names: further names are not recorded. */
    static final int MAX_NAMES = 100_000;

    /** The value of {@link Entry#replaces} of a claim for a name without owner. */
    static final long NO_OWNER = -1;
    /** The value of {@link Entry#replaces} of a record that confirms an owner and replaces any other. */
    static final long ANY_OWNER = -2;

    private final Log log;
    private final long expiry;
    private final Map<String, Owner> owners = new HashMap<>();
    private final Map<String, List<Claim>> claims = new HashMap<>();
    private boolean loaded;
    private long ticks;

    /** The log that all collectors share. */
    @FunctionalInterface
    public interface Log {
        /** Appends a record; does not block, and repeats the attempt until it succeeds. */
        void append(String name, Entry entry);
    }

    /**
     * A record of the log.
     *
     * @param address the source address that claims or has the name
     * @param assured whether the name is configured or certified, so that no router can claim it
     * @param replaces the offset of the owner's newest record that the claimant has read: the claim is void if there
     *     is another by now; negative for a claim to a name without owner, and for records that apply in any case
     */
    public record Entry(String address, boolean assured, long replaces) {
        /** Returns a record that replaces any other owner. */
        public static Entry confirmed(String address, boolean assured) {
            return new Entry(address, assured, ANY_OWNER);
        }

        /** Returns whether the record is a claim, which is void if another one precedes it. */
        public boolean isClaim() {
            return replaces != ANY_OWNER;
        }
    }

    /**
     * @param offset that of the owner's newest record
     * @param tick when that was read
     */
    private record Owner(Entry entry, long offset, long tick) {
        boolean is(String address) {
            return !entry.assured && entry.address.equals(address);
        }
    }

    private record Claim(String address, CompletableFuture<Boolean> decision) {}

    /**
     * @param expiry number of {@link #tick}s after which a name is free whose owner has not been confirmed; {@link
     *     Long#MAX_VALUE} for never
     */
    public NameClaims(Log log, long expiry) {
        this.log = log;
        this.expiry = expiry;
    }

    @Override
    public synchronized CompletableFuture<Boolean> claim(RouterIdentity identity, InetAddress address) {
        String name = identity.name();
        String from = address.getHostAddress();
        Owner owner = owners.get(name);
        if (identity.source().isAssured()) {
            if (owner == null || !owner.entry.assured) {
                log.append(name, Entry.confirmed(from, true));
            }
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> decision = new CompletableFuture<>();
        Claim claim = new Claim(from, decision);
        if (!loaded) {
            claims.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(claim);
        } else {
            decide(name, claim);
        }
        return decision;
    }

    /** Decides a claim by the owner of its name, or appends it to the log if the name is free. */
    private void decide(String name, Claim claim) {
        Owner owner = owners.get(name);
        if (owner != null && !isExpired(owner)) {
            boolean isOwn = owner.is(claim.address);
            if (isOwn && owner.tick != ticks) { // for other collectors the name may be nearly free
                log.append(name, new Entry(claim.address, false, owner.offset));
            }
            claim.decision.complete(isOwn);
        } else if (owner == null && owners.size() >= MAX_NAMES) {
            claim.decision.complete(true);
        } else {
            claims.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(claim);
            log.append(name, new Entry(claim.address, false, owner == null ? NO_OWNER : owner.offset));
        }
    }

    private boolean isExpired(Owner owner) {
        return !owner.entry.assured && ticks - owner.tick > expiry;
    }

    /**
     * Applies a record of the log.
     *
     * @param entry null if the name was released
     */
    public synchronized void apply(String name, @Nullable Entry entry, long offset) {
        if (entry == null) {
            owners.remove(name);
            return;
        }
        Owner before = owners.get(name);
        Owner now = before != null && entry.isClaim() && entry.replaces != before.offset
                ? before // the claim is void
                : new Owner(entry, offset, ticks);
        owners.put(name, now);
        if (!loaded) {
            return;
        }
        if (now == before && !now.is(entry.address)) {
            // Compaction keeps the newest record of a name: it must be the owner's.
            log.append(name, Entry.confirmed(now.entry.address, now.entry.assured));
        }
        List<Claim> decided = claims.remove(name);
        if (decided != null) {
            decided.forEach(claim -> claim.decision.complete(now.is(claim.address)));
        }
    }

    /** Returns whether a name has an owner, connected or not. */
    public synchronized boolean hasOwner(String name) {
        return owners.containsKey(name);
    }

    /** All records that the log had when this collector started have been applied. */
    public synchronized void loaded() {
        loaded = true;
        // Not Map.copyOf, which is a list for names whose hashes are equal
        Map<String, List<Claim>> early = new HashMap<>(claims);
        claims.clear();
        early.forEach((name, waiting) -> waiting.forEach(claim -> decide(name, claim)));
    }

    /**
     * Counts an interval during which the log was available, and confirms the owners that are connected. Other
     * collectors do the same, so a name whose owner is not confirmed for long has no session.
     *
     * @param open names and source addresses of the open sessions
     */
    public synchronized void tick(Iterator<Map.Entry<String, InetAddress>> open) {
        ticks++;
        open.forEachRemaining(session -> {
            Owner owner = owners.get(session.getKey());
            String address = session.getValue().getHostAddress();
            if (owner != null && owner.is(address)) {
                log.append(session.getKey(), Entry.confirmed(address, false));
            }
        });
    }
}
