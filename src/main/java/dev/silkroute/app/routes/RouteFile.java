package dev.silkroute.app.routes;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.camel.spi.Resource;
import org.apache.camel.support.ResourceHelper;

/**
 * A file of routes as it was read: what is loaded, compared and, after a failed exchange, loaded again is this content,
 * whatever became of the file since.
 *
 * @param name the file's name without its ending: a file of the routes directory replaces the packaged one of its name
 * @param location as Camel writes it: {@code classpath:routes/NAME.yaml} or {@code file:/…/NAME.yaml}
 */
record RouteFile(String name, String location, String content) {
    private static final int LARGEST_FILE = 4 << 20;

    /** Reads a file of the routes directory; what can't be read is refused. */
    static RouteFile read(String name, Path path) throws RouteRefusal {
        try {
            if (Files.size(path) > LARGEST_FILE) {
                throw refusal(path, 0, "too large for a file of routes");
            }
            return new RouteFile(name, "file:" + path, text(path, Files.readAllBytes(path)));
        } catch (IOException e) {
            throw refusal(path, 0, "it can't be read: " + OperatorError.reason(e));
        }
    }

    private static String text(Path path, byte[] bytes) throws RouteRefusal {
        var in = ByteBuffer.wrap(bytes);
        var text = CharBuffer.allocate(bytes.length);
        if (StandardCharsets.UTF_8.newDecoder().decode(in, text, true).isError()) {
            var before = new String(bytes, 0, in.position(), StandardCharsets.UTF_8);
            throw refusal(path, 1 + (int) before.chars().filter(c -> c == '\n').count(), "it is not in UTF-8");
        }
        return text.flip().toString();
    }

    private static RouteRefusal refusal(Path path, int line, String reason) {
        return new RouteRefusal(new RouteProblem(path.toString(), line, reason));
    }

    /** The file as Camel's loaders take it. */
    Resource resource() {
        return ResourceHelper.fromString(location, content);
    }

    /** Whether it has a route of this id, as far as text can tell: what is broken can't be asked otherwise. */
    boolean declares(String id) {
        return Pattern.compile("\\bid\"?\\s*[:=]\\s*[\"']?" + Pattern.quote(id) + "(?![^\\s\"',}])")
                .matcher(content)
                .find();
    }

    /** The file as one speaks of it. */
    String shown() {
        return shown(location);
    }

    static String shown(String location) {
        if (location.startsWith("classpath:")) {
            return "packaged " + location.substring("classpath:".length());
        }
        return location.startsWith("file:") ? location.substring("file:".length()) : location;
    }
}
