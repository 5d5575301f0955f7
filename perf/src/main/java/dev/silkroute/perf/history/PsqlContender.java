package dev.silkroute.perf.history;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.Processes;
import dev.silkroute.perf.postgres.TransactionFeed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code psql}'s {@code \copy} of a finished binary file, in one transaction, by a psql that is connected already. */
final class PsqlContender extends StationContender {
    private final List<String> commands;
    private @Nullable Process psql;
    private @Nullable BufferedReader answers;
    private @Nullable PrintStream input;

    private PsqlContender(String name, boolean setsKnown, TransactionFeed feed, List<String> commands) {
        super(name, setsKnown, feed);
        this.commands = commands;
    }

    static PsqlContender events(TransactionFeed feed, CopyFiles files) {
        return new PsqlContender("psql", true, feed, List.of(copyEvents(files)));
    }

    static PsqlContender eventsAndAttributes(TransactionFeed feed, CopyFiles files) {
        return new PsqlContender(
                "psql, sets too",
                false,
                feed,
                List.of(
                        "BEGIN;",
                        "\\copy bmp.attribute_set from '" + files.attributes() + "' with (format binary)",
                        copyEvents(files),
                        "COMMIT;"));
    }

    private static String copyEvents(CopyFiles files) {
        return "\\copy bmp.route_event (" + COLUMNS + ") from '" + files.events() + "' with (format binary)";
    }

    @Override
    protected void prepare(Database database) throws Exception {
        super.prepare(database);
        ProcessBuilder builder = new ProcessBuilder(
                "psql",
                "-X",
                "-q",
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(database.port()),
                "-U",
                "silkroute",
                "-d",
                database.name(),
                "-v",
                "ON_ERROR_STOP=1");
        psql = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        answers = psql.inputReader(StandardCharsets.UTF_8);
        input = new PrintStream(psql.getOutputStream(), true, StandardCharsets.UTF_8);
        send(List.of("SET client_min_messages = warning;"));
    }

    @Override
    protected void run(Database database) throws IOException {
        send(commands);
    }

    private void send(List<String> lines) throws IOException {
        if (input == null || answers == null) {
            throw new IllegalStateException("not prepared");
        }
        lines.forEach(input::println);
        input.println("\\echo done");
        String answer = answers.readLine();
        if (!"done".equals(answer)) {
            throw new IOException("unexpected output of psql: " + answer);
        }
    }

    @Override
    protected void end() throws Exception {
        if (psql != null && input != null) {
            input.close();
            psql.waitFor();
        }
    }

    @Override
    protected double otherCpuSeconds() {
        return psql == null ? 0 : Processes.cpuSeconds(psql.pid());
    }
}
