package dev.silkroute.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TestConfig;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The files of the page, and when they are served. */
class LookingGlassTest {
    private static final Path FILES = Path.of("src/main/resources", LookingGlass.FOLDER);

    private static Vertx vertx;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private static List<String> paths(String roles) throws IOException {
        Router router = Router.router(vertx);
        new LookingGlass(TestConfig.of("silkroute.roles", roles)).register(router);
        return router.getRoutes().stream().map(Route::getPath).toList();
    }

    @Test
    void everyFileIsServed() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> !name.equals(LookingGlass.PAGE))
                            .sorted())
                    .isEqualTo(LookingGlass.ASSETS);
        }
        assertThat(paths("all")).hasSize(1 + LookingGlass.ASSETS.size()).contains("/");
    }

    @Test
    void onlyTheRoleApiServesIt() throws IOException {
        assertThat(paths("collector,api")).contains("/");
        assertThat(paths("collector,writer,rib")).isEmpty();
    }

    @Test
    void theScriptsNeverParseTextAsMarkup() throws IOException {
        for (String name : LookingGlass.ASSETS) {
            assertThat(Files.readString(FILES.resolve(name)))
                    .as(name)
                    .doesNotContainPattern(
                            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(|new Function");
        }
        assertThat(Files.readString(FILES.resolve(LookingGlass.PAGE)))
                .doesNotContainPattern("<style|style=|<script>|\\son\\w+=|https?://");
    }
}
