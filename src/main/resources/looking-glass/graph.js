// The AS paths of some routes as a graph: from the routers' neighbours on the left to the origins on the right.

import {el, svg} from './dom.js';

const COLUMN = 132;
const ROW = 30;
const WIDTH = 96;
const HEIGHT = 20;
const MAX_NODES = 80;

/** Returns the graph, a sentence if it would be too large to read, or `null` if there is nothing to draw. */
export function pathGraph(paths) {
    const nodes = new Set();
    const origins = new Set();
    const edges = new Map();
    for (const path of new Set(paths.filter(Boolean))) {
        // Repetitions of an AS are one node.
        const hops = path.split(' ').filter((hop, i, all) => hop !== all[i - 1]);
        origins.add(hops.at(-1));
        hops.forEach((hop, i) => {
            nodes.add(hop);
            if (i > 0) {
                edges.set(`${hops[i - 1]} ${hop}`, [hops[i - 1], hop]);
            }
        });
    }
    if (nodes.size < 2) {
        return null;
    }
    if (nodes.size > MAX_NODES) {
        return el('p', {class: 'more'}, `The paths have ${nodes.size} ASes. A graph of more than ${MAX_NODES} would not be readable.`);
    }
    const distances = longestDistances(nodes, [...edges.values()]);
    const depth = Math.max(...distances.values());
    const rows = new Array(depth + 1).fill(0);
    const places = new Map([...distances].map(([hop, distance]) => [hop, {x: (depth - distance) * COLUMN, y: rows[distance]++ * ROW}]));
    const width = depth * COLUMN + WIDTH;
    const height = (Math.max(...rows) + .5) * ROW;
    return el('div', {class: 'graph', tabindex: '0', role: 'group', 'aria-label': 'AS paths as a graph'},
        svg('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img',
            'aria-label': `${nodes.size} ASes; the table below contains the paths`},
        [...edges.values()].map(([from, to]) => line(places.get(from), places.get(to))),
        [...places].map(([hop, {x, y}]) => svg('g', {class: origins.has(hop) ? 'origin' : null},
            svg('rect', {x: x + .5, y: y + 5.5, width: WIDTH - 1, height: HEIGHT, rx: 3}),
            svg('text', {x: x + WIDTH / 2, y: y + 19.5, 'text-anchor': 'middle'}, hop.length > 12 ? `${hop.slice(0, 11)}…` : hop)))));
}

/**
 * The longest distance of each AS to the end of a path, so that every edge points to the right. Two paths may contain
 * the same ASes in opposite order; the number of passes is bounded, and an edge of such a cycle points to the left.
 */
function longestDistances(nodes, edges) {
    const distances = new Map([...nodes].map(hop => [hop, 0]));
    for (let pass = 0, isStable = false; pass < nodes.size && !isStable; pass++) {
        isStable = true;
        for (const [from, to] of edges) {
            const distance = Math.min(nodes.size - 1, distances.get(to) + 1);
            if (distances.get(from) < distance) {
                distances.set(from, distance);
                isStable = false;
            }
        }
    }
    return distances;
}

/** An edge over more than one column passes below the nodes between. */
function line(from, to) {
    const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + 15.5, to.x, to.y + 15.5];
    const sag = to.x - from.x > COLUMN ? ROW * .75 : 0;
    const bend = Math.max(24, (x2 - x1) / 3);
    return svg('path', {d: `M${x1},${y1} C${x1 + bend},${y1 + sag} ${x2 - bend},${y2 + sag} ${x2},${y2}`});
}
