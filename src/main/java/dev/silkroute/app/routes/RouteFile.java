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
 * A route file as it was read. This content is loaded, compared and, after a failed change, loaded again, even if the
 * file has changed since.
 *
 * @param name the file's name without its extension: a file in the routes directory replaces the packaged one of its
 * name
 * @param location in Camel's form: {@code classpath:routes/NAME.camel.yaml} or {@code file:/…/NAME.yaml}
 */
record RouteFile(String name, String location, String content) {
    private static final int LARGEST_FILE = 4 << 20;

    /** Reads a file of the routes directory. */
    static RouteFile read(String name, Path path) throws RouteRejection {
        try {
            var foreign = ForeignWrites.reason(path);
            if (foreign != null) {
                throw rejection(path, 0, foreign);
            }
            if (Files.size(path) > LARGEST_FILE) {
                throw rejection(path, 0, "too large for a route file");
            }
            return new RouteFile(name, "file:" + path, text(path, Files.readAllBytes(path)));
        } catch (IOException e) {
            throw rejection(path, 0, "it cannot be read: " + OperatorError.reason(e));
        }
    }

    private static String text(Path path, byte[] bytes) throws RouteRejection {
        var in = ByteBuffer.wrap(bytes);
        var text = CharBuffer.allocate(bytes.length);
        if (StandardCharsets.UTF_8.newDecoder().decode(in, text, true).isError()) {
            var before = new String(bytes, 0, in.position(), StandardCharsets.UTF_8);
            throw rejection(
                    path, 1 + (int) before.chars().filter(c -> c == '\n').count(), "not encoded in UTF-8");
        }
        return text.flip().toString();
    }

    private static RouteRejection rejection(Path path, int line, String reason) {
        return new RouteRejection(new RouteProblem(path.toString(), line, reason));
    }

    /** Returns the file in the form that Camel's loaders accept. */
    Resource resource() {
        return ResourceHelper.fromString(location, content);
    }

    /** True if the text seems to contain a route of this id; used for files that cannot be parsed. */
    boolean declares(String id) {
        return Pattern.compile("\\bid\"?\\s*[:=]\\s*[\"']?" + Pattern.quote(id) + "(?![^\\s\"',}])")
                .matcher(content)
                .find();
    }

    /** Returns the file's name for messages. */
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
