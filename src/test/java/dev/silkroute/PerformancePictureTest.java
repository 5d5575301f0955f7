package dev.silkroute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.GeneratedPage;
import dev.silkroute.fixture.MarkdownPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The picture of the page on performance shows the figures of its table: CPU time per route, before and after. */
class PerformancePictureTest {
    private static final String PICTURE = "docs/images/cpu-per-route.svg";
    private static final MarkdownPage PAGE = new MarkdownPage(Path.of("docs/explanation/performance.md"));
    private static final String HEADER = "| | first dump, before | now | again, before |";

    private static final int LEFT = 390;
    private static final int TOP = 56;
    private static final int ROW = 30;
    private static final int BAR = 11;
    private static final double PIXELS_PER_MICROSECOND = 30;
    private static final String BEFORE = "#9aa5b1";
    private static final String AFTER = "#2a78b5";

    /** A process, or a part of the process above it, and its microseconds of CPU time per route. */
    private record Part(String name, boolean process, double before, double now) {
        static Part parse(String line) {
            List<String> cells =
                    Arrays.stream(line.split("\\|")).map(String::strip).toList();
            String name = cells.get(1);
            boolean process = name.startsWith("**");
            return new Part(
                    name.replace("**", "").replace("`", ""), process, number(cells.get(2)), number(cells.get(3)));
        }

        private static double number(String cell) {
            return Double.parseDouble(cell.replace("*", ""));
        }

        /** The name without its explanation where that is too long for the picture. */
        String label() {
            if (name.length() <= 52) {
                return name;
            }
            int end = name.indexOf(": ");
            return end > 0 ? name.substring(0, end) : name.substring(0, name.indexOf(','));
        }
    }

    @Test
    void thePictureShowsTheFiguresOfTheTable() throws IOException {
        List<Part> parts = parts();
        assertThat(parts).filteredOn(Part::process).hasSize(3);
        assertThat(String.join("\n", PAGE.lines())).contains("](../images/cpu-per-route.svg)");
        GeneratedPage.at(PICTURE).assertIs(svg(parts));
    }

    /** The parts of a process add up to it, except for rounding. */
    @Test
    void thePartsOfAProcessAddUp() throws IOException {
        List<Part> parts = parts();
        for (int i = 0; i < parts.size(); i++) {
            if (!parts.get(i).process) {
                continue;
            }
            List<Part> own = parts.subList(i + 1, parts.size()).stream()
                    .takeWhile(part -> !part.process)
                    .toList();
            if (!own.isEmpty()) {
                assertThat(own.stream().mapToDouble(Part::before).sum())
                        .isCloseTo(parts.get(i).before, Offset.offset(0.35));
                assertThat(own.stream().mapToDouble(Part::now).sum()).isCloseTo(parts.get(i).now, Offset.offset(0.35));
            }
        }
    }

    private static List<Part> parts() throws IOException {
        List<String> lines = PAGE.lines();
        int header = lines.indexOf(HEADER);
        assertThat(header).as("the line of the table's header").isNotNegative();
        return lines.stream()
                .skip(header + 2)
                .takeWhile(line -> line.startsWith("|"))
                .map(Part::parse)
                .toList();
    }

    private static String svg(List<Part> parts) {
        int bottom = TOP + parts.size() * ROW;
        double longest = parts.stream()
                .mapToDouble(part -> Math.max(part.before, part.now))
                .max()
                .orElseThrow();
        int width = (int) (LEFT + longest * PIXELS_PER_MICROSECOND + 60);
        List<String> svg = new ArrayList<>();
        svg.add(element(
                "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='13'>",
                width, bottom + 12));
        svg.add("<rect width='100%' height='100%' fill='white'/>");
        svg.add("<text x='12' y='24' font-size='15' font-weight='bold'>Microseconds of CPU per route</text>");
        svg.addAll(legend(LEFT, "before", BEFORE));
        svg.addAll(legend(LEFT + 90, "now", AFTER));
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            int y = TOP + i * ROW;
            svg.add(element(
                    "<text x='%d' y='%d' text-anchor='end'%s>%s</text>",
                    LEFT - 10, y + BAR + 4, part.process ? " font-weight='bold'" : "", part.label()));
            svg.addAll(bar(y, part.before, BEFORE));
            svg.addAll(bar(y + BAR + 1, part.now, AFTER));
        }
        svg.add("</svg>");
        return String.join("\n", svg);
    }

    private static List<String> legend(int x, String label, String colour) {
        return List.of(
                element("<rect x='%d' y='14' width='12' height='12' fill='%s'/>", x, colour),
                element("<text x='%d' y='24'>%s</text>", x + 18, label));
    }

    private static List<String> bar(int y, double microseconds, String colour) {
        double width = microseconds * PIXELS_PER_MICROSECOND;
        return List.of(
                element("<rect x='%d' y='%d' width='%.1f' height='%d' fill='%s'/>", LEFT, y, width, BAR, colour),
                element("<text x='%.1f' y='%d' font-size='10'>%.1f</text>", LEFT + width + 4, y + 9, microseconds));
    }

    private static String element(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
