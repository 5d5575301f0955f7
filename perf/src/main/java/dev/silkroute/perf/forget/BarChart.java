package dev.silkroute.perf.forget;

import java.util.List;
import java.util.Locale;

/** Horizontal bars over a logarithmic scale, as SVG. */
final class BarChart {
    /** @param group bars of one group have one colour */
    record Bar(String label, int group, double median, double min, double max) {}

    private static final String[] COLOURS = {"#2a78b5", "#9aa5b1", "#c98a2b"};
    private static final int LEFT = 330;
    private static final int WIDTH = 560;
    private static final int ROW = 26;
    private static final int TOP = 48;

    private BarChart() {}

    static String svg(String title, String unit, List<Bar> bars) {
        double low =
                Math.floor(Math.log10(bars.stream().mapToDouble(Bar::min).min().orElseThrow()));
        double high =
                Math.ceil(Math.log10(bars.stream().mapToDouble(Bar::max).max().orElseThrow()));
        int bottom = TOP + bars.size() * ROW;
        StringBuilder svg = new StringBuilder();
        line(
                svg,
                "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>",
                LEFT + WIDTH + 110,
                bottom + 44);
        line(svg, "<rect width='100%%' height='100%%' fill='white'/>");
        line(svg, "<text x='12' y='24' font-size='15' font-weight='bold'>%s</text>", title);
        for (int power = (int) low; power <= high; power++) {
            double x = x(Math.pow(10, power), low, high);
            line(svg, "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#ddd'/>", x, TOP - 6, x, bottom);
            line(svg, "<text x='%.1f' y='%d' text-anchor='middle' fill='#555'>%s</text>", x, bottom + 16, power(power));
        }
        line(
                svg,
                "<text x='%d' y='%d' text-anchor='middle' fill='#555'>%s</text>",
                LEFT + WIDTH / 2,
                bottom + 36,
                unit);
        for (int i = 0; i < bars.size(); i++) {
            bar(svg, bars.get(i), TOP + i * ROW, low, high);
        }
        line(svg, "</svg>");
        return svg.toString();
    }

    private static void bar(StringBuilder svg, Bar bar, int y, double low, double high) {
        double end = x(bar.median, low, high);
        double middle = y + ROW / 2.0 - 3;
        line(svg, "<text x='%d' y='%.1f' text-anchor='end'>%s</text>", LEFT - 8, middle + 4, bar.label);
        line(
                svg,
                "<rect x='%d' y='%d' width='%.1f' height='%d' fill='%s'/>",
                LEFT,
                y,
                end - LEFT,
                ROW - 8,
                COLOURS[bar.group % COLOURS.length]);
        line(
                svg,
                "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='black'/>",
                x(bar.min, low, high),
                middle,
                x(bar.max, low, high),
                middle);
        line(
                svg,
                "<text x='%.1f' y='%.1f'>%s</text>",
                Math.max(end, x(bar.max, low, high)) + 6,
                middle + 4,
                number(bar.median));
    }

    private static double x(double value, double low, double high) {
        return LEFT + WIDTH * (Math.log10(value) - low) / (high - low);
    }

    private static String power(int power) {
        return power >= 6
                ? (int) Math.pow(10, power - 6) + " M"
                : power >= 3 ? (int) Math.pow(10, power - 3) + " k" : "1";
    }

    private static String number(double value) {
        return value >= 1e6
                ? String.format(Locale.ROOT, "%.2f M", value / 1e6)
                : String.format(Locale.ROOT, "%.0f k", value / 1e3);
    }

    private static void line(StringBuilder svg, String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
