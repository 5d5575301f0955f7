package dev.silkroute.app.routes;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.Roles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The route files that a station runs: the packaged files of its roles, and those of the routes directory, which
 * replace packaged files of the same name or add to them. A file in the directory with the name of a packaged file of
 * another role is ignored.
 */
public final class RouteFiles {
    /** Endings of route files; of two that a file has, the longer one comes first. */
    private static final List<String> ENDINGS = List.of(".camel.yaml", ".yaml", ".camel.xml", ".xml");

    /** The error handling that the packaged routes share. */
    private static final String ERROR_HANDLING = "error-handling";

    private final Set<String> packaged = new TreeSet<>();
    private final Set<String> foreign = new TreeSet<>();
    private final @Nullable Path directory;

    private RouteFiles(Roles roles, @Nullable Path directory) {
        for (var role : Role.values()) {
            (roles.has(role) ? packaged : foreign).addAll(role.routes());
        }
        if (!packaged.isEmpty()) {
            packaged.add(ERROR_HANDLING);
        }
        this.directory = directory == null ? null : directory.toAbsolutePath().normalize();
    }

    public static RouteFiles of(Roles roles, @Nullable Path directory) {
        return new RouteFiles(roles, directory);
    }

    /**
     * Throws an {@link OperatorError} if the directory or one of its files cannot be read or can be changed by other
     * users, or two files have one name.
     */
    public void check() {
        readAll();
    }

    @Nullable
    Path directory() {
        return directory;
    }

    /**
     * The files to run, by name.
     *
     * @param unreadable why files could not be read, by name; such a file is not treated as deleted
     */
    record Reading(Map<String, RouteFile> files, Map<String, String> unreadable) {}

    /** Reads the files to run; throws an {@link OperatorError} if one of them cannot be read. */
    Reading readAll() {
        var reading = read();
        reading.unreadable().values().stream().findFirst().ifPresent(reason -> {
            throw new OperatorError(reason);
        });
        return reading;
    }

    /** Reads the files as they are now; throws an {@link OperatorError} if the directory cannot be read. */
    Reading read() {
        var files = new TreeMap<String, RouteFile>();
        var unreadable = new TreeMap<String, String>();
        for (var name : packaged) {
            var file = packagedFile(name);
            if (file != null) {
                files.put(name, file);
            }
        }
        var own = new TreeMap<String, Path>();
        for (var path : paths()) {
            var name = name(path);
            var same = own.putIfAbsent(name, path);
            if (same != null) {
                unreadable.put(name, same + " and " + path + " have the same name: keep one of them");
            }
        }
        own.keySet().removeAll(foreign);
        unreadable.keySet().retainAll(own.keySet());
        own.forEach((name, path) -> {
            try {
                files.put(name, RouteFile.read(name, path));
            } catch (RouteRejection e) {
                unreadable.putIfAbsent(name, String.valueOf(e.getMessage()));
            }
        });
        files.keySet().removeAll(unreadable.keySet());
        return new Reading(files, unreadable);
    }

    /**
     * Returns marks that change when a file is created, deleted or written: name, size, time and, if it has one,
     * inode.
     */
    List<String> marks() {
        var marks = new ArrayList<String>();
        for (var path : paths()) {
            try {
                var attributes = Files.readAttributes(path, java.nio.file.attribute.BasicFileAttributes.class);
                marks.add(path + " " + attributes.size() + " "
                        + attributes.lastModifiedTime().toMillis() + " " + attributes.fileKey());
            } catch (IOException e) {
                marks.add(path + " " + OperatorError.reason(e));
            }
        }
        return marks;
    }

    /** Lists the route files in the directory, without the hidden files of editors and mounts. */
    private List<Path> paths() {
        if (directory == null) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            ForeignWrites.check(directory);
            return entries.filter(path -> isRoutes(path.getFileName().toString()) && Files.isRegularFile(path))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new OperatorError(
                    "cannot read the routes directory " + directory + ": " + OperatorError.reason(e), e);
        }
    }

    private static boolean isRoutes(String fileName) {
        return !fileName.startsWith(".") && ENDINGS.stream().anyMatch(fileName::endsWith);
    }

    private static String name(Path path) {
        var fileName = path.getFileName().toString();
        return ENDINGS.stream()
                .filter(fileName::endsWith)
                .findFirst()
                .map(ending -> fileName.substring(0, fileName.length() - ending.length()))
                .orElse(fileName);
    }

    private static @Nullable RouteFile packagedFile(String name) {
        for (var ending : ENDINGS) {
            var resource = "routes/" + name + ending;
            try (var stream = RouteFiles.class.getClassLoader().getResourceAsStream(resource)) {
                if (stream != null) {
                    return new RouteFile(
                            name, "classpath:" + resource, new String(stream.readAllBytes(), StandardCharsets.UTF_8));
                }
            } catch (IOException e) {
                throw new OperatorError("cannot read the packaged " + resource + ": " + OperatorError.reason(e), e);
            }
        }
        return null;
    }

    /**
     * Returns the location of the route file of a name: the one in the directory if it has one, otherwise the
     * packaged one.
     *
     * @throws IllegalArgumentException if there is neither
     */
    public static String location(String name, @Nullable Path directory) {
        if (directory != null) {
            for (var ending : ENDINGS) {
                var edited = directory.resolve(name + ending);
                if (Files.exists(edited)) {
                    return "file:" + edited;
                }
            }
        }
        var file = packagedFile(name);
        if (file == null) {
            throw new IllegalArgumentException("there is no packaged route file " + name);
        }
        return file.location();
    }
}
