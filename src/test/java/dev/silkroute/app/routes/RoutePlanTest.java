package dev.silkroute.app.routes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Files are written as their name and the ids of their routes: {@code a: X Y}. */
class RoutePlanTest {
    private final Map<String, Running> running = new TreeMap<>();
    private final List<RouteStep> steps = new ArrayList<>();
    private final List<RouteFile> broken = new ArrayList<>();

    private static RouteFile file(String name, String content) {
        return new RouteFile(name, "file:/" + name + ".yaml", content);
    }

    private static Running routes(String name, String... ids) {
        return new Running(file(name, "- route: {id: " + String.join("}\n- route: {id: ", ids) + "}\n"), List.of(ids));
    }

    private void runs(String name, String... ids) {
        running.put(name, routes(name, ids));
    }

    private void becomes(String name, String... ids) {
        steps.add(new RouteStep(name, running.get(name), routes(name, ids)));
    }

    private void isRemoved(String name) {
        steps.add(new RouteStep(name, running.get(name), null));
    }

    private RoutePlan plan() {
        return new RoutePlan(running, steps, broken);
    }

    private static List<List<String>> names(RoutePlan plan) {
        return plan.groups().stream()
                .map(group -> group.stream().map(RouteStep::name).toList())
                .toList();
    }

    private static List<String> rejections(RoutePlan plan) {
        return plan.rejected().values().stream().map(Throwable::getMessage).toList();
    }

    @Test
    void filesThatShareNoRouteGoOneByOne() {
        runs("a", "X");
        runs("b", "Y");
        becomes("a", "X", "V");
        isRemoved("b");
        becomes("c", "W");
        assertThat(names(plan())).containsExactly(List.of("a"), List.of("b"), List.of("c"));
        assertThat(rejections(plan())).isEmpty();
    }

    @Test
    void aRouteMovesToANameBeforeOrBehind() {
        runs("m", "X");
        isRemoved("m");
        becomes("a", "X");
        assertThat(names(plan())).containsExactly(List.of("a", "m"));
        steps.removeLast();
        becomes("z", "X");
        assertThat(names(plan())).containsExactly(List.of("m", "z"));
        assertThat(rejections(plan())).isEmpty();
    }

    @Test
    void routesAreExchangedBetweenFiles() {
        runs("a", "X");
        runs("b", "Y");
        runs("c", "Z");
        becomes("a", "Y");
        becomes("b", "X");
        becomes("c", "Z", "V");
        assertThat(names(plan())).containsExactly(List.of("a", "b"), List.of("c"));
        assertThat(rejections(plan())).isEmpty();
    }

    @Test
    void whatAnotherFileKeepsIsTaken() {
        runs("z", "X");
        becomes("a", "X");
        assertThat(names(plan())).isEmpty();
        assertThat(rejections(plan())).containsExactly("/a.yaml: the route id X is taken by /z.yaml");
        becomes("z", "X", "Y");
        assertThat(names(plan())).containsExactly(List.of("z"));
        assertThat(rejections(plan())).containsExactly("/a.yaml: the route id X is taken by /z.yaml");
    }

    @Test
    void ofTwoNewFilesTheFirstHasTheRoute() {
        becomes("a", "X");
        becomes("b", "X");
        assertThat(names(plan())).containsExactly(List.of("a"));
        assertThat(rejections(plan())).containsExactly("/b.yaml: the route id X is taken by /a.yaml");
    }

    @Test
    void aRouteDoesNotEndBecauseTheFileItMovedToIsBroken() {
        runs("b", "X", "Y");
        becomes("b", "Y");
        broken.add(file("a", "- route:\n    id: X\n    form: a typing error\n"));
        assertThat(names(plan())).isEmpty();
        assertThat(rejections(plan()))
                .containsExactly("/b.yaml: the route X would end, because /a.yaml, which has it too, is rejected");
        steps.clear();
        isRemoved("b");
        assertThat(names(plan())).isEmpty();
        broken.clear();
        broken.add(file("a", "- route:\n    id: XX\n    form: a typing error\n"));
        assertThat(names(plan())).containsExactly(List.of("b"));
    }

    @Test
    void routesThatARejectedFileKeepsConflictWithOthers() {
        runs("a", "X");
        runs("b", "Y");
        runs("c", "Z");
        // b cannot have Z, so it keeps Y, which a cannot have then, and X stays in its file
        becomes("a", "Y");
        becomes("b", "X", "Z");
        assertThat(names(plan())).isEmpty();
        assertThat(rejections(plan()))
                .containsExactly(
                        "/b.yaml: the route id Z is taken by /c.yaml", "/a.yaml: the route id Y is taken by /b.yaml");
    }

    @Test
    void idsInTextAreFoundInBothLanguages() {
        for (var text : List.of("id: X", "  id : 'X'\n", "{id: X, from: y}", "\"id\": \"X\",", "<route id=\"X\">")) {
            assertThat(file("a", text).declares("X")).as(text).isTrue();
        }
        for (var text : List.of("id: X-ray", "void: X", "uri: direct:X", "id: x", "")) {
            assertThat(file("a", text).declares("X")).as(text).isFalse();
        }
    }
}
