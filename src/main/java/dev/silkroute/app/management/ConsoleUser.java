package dev.silkroute.app.management;

/** The sender of a request to the console. The name is for the log. */
record ConsoleUser(String name, ConsoleRole role) {
    /** The user of a console that only this machine can reach. */
    static final ConsoleUser LOCAL = new ConsoleUser("local", ConsoleRole.OPERATOR);

    @Override
    public String toString() {
        return role.text() + " " + name;
    }
}
