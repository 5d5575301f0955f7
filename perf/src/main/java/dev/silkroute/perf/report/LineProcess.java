package dev.silkroute.perf.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A process that is controlled by lines on its standard input. Not thread-safe. */
public final class LineProcess implements AutoCloseable {
    private final String name;
    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    private LineProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        in = process.outputWriter(StandardCharsets.UTF_8);
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    /** @param name of the process in errors */
    public static LineProcess start(String name, List<String> command) throws IOException {
        return new LineProcess(
                name,
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    public void send(String line) throws IOException {
        in.write(line + "\n");
        in.flush();
    }

    public void expect(String wanted) throws IOException {
        String line = out.readLine();
        if (!wanted.equals(line)) {
            throw new IOException(name + ": unexpected output '" + line + "' instead of '" + wanted + "'");
        }
    }

    /** Returns the line that answers another one. */
    public String ask(String line) throws IOException {
        send(line);
        String answer = out.readLine();
        if (answer == null) {
            throw new IOException(name + " ended without an answer to '" + line + "'");
        }
        return answer;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        in.close();
        process.waitFor();
    }
}
