package dev.silkroute.load;

/** The kinds of changes that follow the table dumps. */
public enum Churn {
    /** Random routes: 60 % get other attributes, 20 % are withdrawn, 20 % flap; a withdrawn one is announced again. */
    STEADY("steady"),
    /** As {@link #STEADY}, but 19 of 20 announcements return to one of eight sets of attributes of the route. */
    ALTERNATE("alternate"),
    /** One route in a hundred, repeatedly withdrawn and announced again. */
    FLAP("flap"),
    /** All routes in order, announced again unchanged. */
    REDUMP("redump"),
    /** All routes in order are withdrawn, then all are announced again, and so on. */
    WAVE("wave");

    /** One route in this many flaps. */
    private static final int FLAP_SHARE = 100;

    private static final int[] STEADY_KINDS = KeyedRandom.cumulative(60, 20, 20);
    /** Versions 1 to 8 of a route are those that it returns to. */
    private static final int ALTERNATIVES = 8;
    /** One announcement in this many has attributes that the route never had. */
    private static final int NEW_SHARE = 20;

    private final String text;

    Churn(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** Returns the route, from 0 to {@code routes} − 1, that the n-th change is about. */
    long route(KeyedRandom random, long n, long routes) {
        return switch (this) {
            case STEADY, ALTERNATE -> random.nextLong(routes);
            case FLAP -> random.nextLong((routes + FLAP_SHARE - 1) / FLAP_SHARE) * FLAP_SHARE;
            case REDUMP, WAVE -> n % routes;
        };
    }

    /** Returns what happens to the route if it is announced. */
    Kind kind(KeyedRandom random) {
        return switch (this) {
            case STEADY, ALTERNATE -> Kind.values()[random.pick(STEADY_KINDS)];
            case FLAP -> Kind.FLAP;
            case REDUMP -> Kind.SAME;
            case WAVE -> Kind.WITHDRAW;
        };
    }

    /**
     * Returns the version that an announcement with other attributes gives to a route.
     *
     * @param current the route's version, see {@link RouteVersions}
     * @param unused a positive version that the route never had
     */
    int version(KeyedRandom random, int current, int unused) {
        if (this != ALTERNATE || random.oneIn(NEW_SHARE)) {
            return unused;
        }
        boolean alternative = current >= 1 && current <= ALTERNATIVES;
        return alternative
                ? (current + random.nextInt(ALTERNATIVES - 1)) % ALTERNATIVES + 1
                : random.nextInt(ALTERNATIVES) + 1;
    }

    /** A change of an announced route. {@code FLAP} withdraws it and announces it again with other attributes. */
    enum Kind {
        CHANGE,
        WITHDRAW,
        FLAP,
        SAME
    }
}
