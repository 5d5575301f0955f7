package dev.silkroute.app;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** The program's entry point. */
@QuarkusMain
public final class Silkroute {
    private Silkroute() {}

    public static void main(String[] args) {
        Quarkus.run(args);
    }
}
