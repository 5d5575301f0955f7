package dev.silkroute.load;

/** How routes change once the tables are out. */
public enum Churn {
    /** Any route: 60 % get other attributes, 20 % go, 20 % go and come back; one that is away comes back. */
    STEADY("steady"),
    /** Few routes, over and over: they go and come back. */
    FLAP("flap"),
    /** All routes in their order, announced again as they were. */
    REDUMP("redump"),
    /** All routes in their order go; then they all come back. */
    WAVE("wave");

    /** One route in this many flaps. */
    private static final int FLAPPING = 100;

    private static final int[] STEADY_KINDS = Dice.cumulative(60, 20, 20);

    private final String text;

    Churn(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** Which of {@code routes} the n-th change is about. */
    long route(Dice dice, long n, long routes) {
        return switch (this) {
            case STEADY -> dice.below(routes);
            case FLAP -> dice.below((routes + FLAPPING - 1) / FLAPPING) * FLAPPING;
            case REDUMP, WAVE -> n % routes;
        };
    }

    /** Whether an announced route goes. */
    Kind kind(Dice dice) {
        return switch (this) {
            case STEADY -> Kind.values()[dice.pick(STEADY_KINDS)];
            case FLAP -> Kind.FLAP;
            case REDUMP -> Kind.SAME;
            case WAVE -> Kind.WITHDRAW;
        };
    }

    /** What becomes of an announced route. */
    enum Kind {
        CHANGE,
        WITHDRAW,
        FLAP,
        SAME
    }
}
