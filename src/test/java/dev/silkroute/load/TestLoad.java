package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Builds a profile of generated load. Without further settings it is one router, which reports IPv4 unicast routes in
 * its Adj-RIBs-In before policy, without path identifiers, and changes nothing.
 */
public final class TestLoad {
    private final long seed;
    private final int peers;
    private List<Integer> prefixes;
    private int routers = 1;
    private List<Integer> families = List.of(Family.IPV4_UNICAST);
    private Set<RibView> views = Set.of(RibView.ADJ_RIB_IN_PRE_POLICY);
    private int paths;
    private Churn churn = Churn.STEADY;
    private long changes;
    private boolean down;
    private int malformed;

    private TestLoad(long seed, int peers, int prefixes) {
        this.seed = seed;
        this.peers = peers;
        this.prefixes = List.of(prefixes);
    }

    /**
     * @param peers of each router
     * @param prefixes of each peer in each family and view
     */
    public static TestLoad of(long seed, int peers, int prefixes) {
        return new TestLoad(seed, peers, prefixes);
    }

    public TestLoad routers(int number) {
        routers = number;
        return this;
    }

    public TestLoad families(Integer... all) {
        return families(List.of(all));
    }

    public TestLoad families(List<Integer> all) {
        families = all;
        return this;
    }

    /** @param numbers of prefixes, one for each family */
    public TestLoad prefixes(Integer... numbers) {
        prefixes = List.of(numbers);
        return this;
    }

    public TestLoad views(RibView... all) {
        return views(List.of(all));
    }

    public TestLoad views(Collection<RibView> all) {
        views = Set.copyOf(all);
        return this;
    }

    public TestLoad allFamiliesAndViews() {
        return families(LoadProfile.FAMILIES).views(EnumSet.allOf(RibView.class));
    }

    /** @param number of each prefix, with path identifiers; 0 is one path without them */
    public TestLoad paths(int number) {
        paths = number;
        return this;
    }

    public TestLoad churn(Churn kind, long number) {
        churn = kind;
        changes = number;
        return this;
    }

    public TestLoad changes(long number) {
        return churn(Churn.STEADY, number);
    }

    /** @param goes whether the sessions end with Peer Downs and Termination */
    public TestLoad down(boolean goes) {
        down = goes;
        return this;
    }

    public TestLoad malformed(int percent) {
        malformed = percent;
        return this;
    }

    public LoadProfile profile() {
        return new LoadProfile(seed, routers, peers, prefixes, families, views, paths, churn, changes, down, malformed);
    }

    public LoadPlan plan() {
        return new LoadPlan(profile());
    }

    /** Returns the first router. */
    public LoadRouter router() {
        return plan().router(0);
    }
}
