// The station now: route events per second and the size of the table as they develop while the view is open, and how
// far the writers are.

import {get} from './api.js';
import {badge, el, known, onlyNow} from './dom.js';
import {duration, number, shortNumber} from './format.js';
import {Table} from './table.js';
import uPlot from './uplot.js';

const INTERVAL = 1000;
const MAX_POINTS = 600;
const MIN_SPAN = 60;
const HEIGHT = 180;

export async function render(state, page) {
    const first = await get('status', {}, page.signal);
    const plots = [
        new Plot('Route events per second', '--accent', sample => sample.rate),
        new Plot('Routes in the RIB', '--good', sample => sample.routes),
    ];
    const facts = el('dl', {class: 'tiles'});
    const topics = el('div');
    const routes = el('div');
    page.show('Live', onlyNow(state), facts, el('div', {class: 'plots'}, plots.map(plot => plot.element)),
        el('h2', {}, 'Topics'), topics, el('h2', {}, 'Camel routes'), routes);
    const observer = new ResizeObserver(() => plots.forEach(plot => plot.resize()));
    plots.forEach(plot => {
        plot.draw();
        observer.observe(plot.element);
    });
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => plots.forEach(plot => plot.plot.redraw(false));
    scheme.addEventListener('change', redraw);
    page.signal.addEventListener('abort', () => {
        scheme.removeEventListener('change', redraw);
        observer.disconnect();
        plots.forEach(plot => plot.destroy());
    });
    let last = null;
    let status = first;
    while (!page.signal.aborted) {
        const sample = sampleOf(status, last);
        last = sample;
        plots.forEach(plot => plot.add(sample));
        renderFacts(facts, status, sample);
        renderTables(topics, routes, status);
        await pause(page.signal);
        status = document.hidden ? status : await get('status', {}, page.signal).catch(error => offline(error, status));
    }
}

/** Rates are differences between two answers; the first answer has none. */
function sampleOf(status, last) {
    const at = performance.now() / 1000;
    const events = status.rib?.events ?? null;
    const rate = last === null || events === null || last.events === null || events < last.events ? null : (events - last.events) / (at - last.at);
    return {at, time: Date.now() / 1000, events, rate, routes: status.rib?.routes ?? null};
}

function renderFacts(facts, status, sample) {
    const tiles = [
        ['Routes', number(status.rib?.routes)],
        ['Prefixes', number(status.rib?.prefixes)],
        ['Route events per second', sample.rate === null ? known(null) : number(Math.round(sample.rate))],
        ['BMP sessions', number(status.sessions)],
        ['Peer views up', el('span', {}, number(status.peers.up ?? 0), el('span', {class: 'of'}, ` of ${status.peers.total}`))],
        ['Running for', duration(status.uptime_seconds)],
    ];
    facts.replaceChildren(...tiles.map(([title, value]) => el('div', {}, el('dt', {}, title), el('dd', {}, value))));
}

function renderTables(topics, routes, status) {
    const topicTable = new Table([
        {title: 'Topic', header: true, class: 'name', cell: topic => topic.name},
        {title: 'Records', class: 'number', cell: topic => number(topic.records)},
        {title: 'Lag of the writers', class: 'number', cell: topic => (topic.lag === undefined ? el('span', {class: 'absent'}, 'no writer') : number(topic.lag))},
    ], {caption: 'Topics'});
    topicTable.add(status.topics ?? []);
    topics.replaceChildren(topicTable.element);
    const routeTable = new Table([
        {title: 'Route', header: true, class: 'name', cell: route => route.id},
        {title: 'State', cell: route => badge(route.state, route.state === 'started' ? 'good' : 'neutral')},
        {title: 'Source', class: 'wide', cell: route => route.source},
    ], {caption: 'Camel routes'});
    routeTable.add(status.routes ?? []);
    routes.replaceChildren(routeTable.element);
}

/** While the station does not answer the plots have a gap. */
function offline(error, status) {
    if (error.name === 'AbortError') {
        return status;
    }
    return {...status, rib: undefined};
}

function pause(signal) {
    return new Promise(resolve => {
        const timer = setTimeout(resolve, INTERVAL);
        signal.addEventListener('abort', () => {
            clearTimeout(timer);
            resolve();
        }, {once: true});
    });
}

/** The present value of a color of the style sheet, which depends on the preferred scheme. */
function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A line over the last ten minutes. */
class Plot {
    constructor(title, color, value) {
        this.color = color;
        this.value = value;
        this.times = [];
        this.values = [];
        this.title = title;
        this.text = el('p', {class: 'plot-value', 'aria-hidden': 'true'});
        this.canvas = el('div', {class: 'canvas'});
        this.element = el('figure', {class: 'plot'}, el('figcaption', {}, title), this.text, this.canvas);
    }

    draw() {
        const font = '11px system-ui, sans-serif';
        const axis = {stroke: () => color('--muted'), font, grid: {stroke: () => color('--line'), width: 1}, ticks: {show: false}};
        this.plot = new uPlot({
            width: this.width(), height: HEIGHT, tzDate: at => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC'),
            legend: {show: false}, cursor: {show: false},
            scales: {x: {range: (plot, min, max) => [Math.min(min, max - MIN_SPAN), max]}, y: {range: (plot, min, max) => [0, Math.max(10, (max ?? 0) * 1.1)]}},
            axes: [{...axis, size: 28, space: 80, values: (plot, ticks) => ticks.map(at => new Date(at * 1000).toISOString().slice(11, 19))},
                {...axis, size: 52, values: (plot, ticks) => ticks.map(shortNumber)}],
            series: [{}, {stroke: () => color(this.color), width: 2, points: {show: false}}],
        }, [[], []], this.canvas);
    }

    add(sample) {
        this.times.push(sample.time);
        this.values.push(this.value(sample));
        if (this.times.length > MAX_POINTS) {
            this.times.shift();
            this.values.shift();
        }
        this.plot?.setData([this.times, this.values]);
        const value = this.values.at(-1);
        this.text.replaceChildren(value === null ? known(null) : number(Math.round(value)));
    }

    resize() {
        this.plot?.setSize({width: this.width(), height: HEIGHT});
    }

    width() {
        return Math.max(200, this.canvas.clientWidth);
    }

    destroy() {
        this.plot?.destroy();
        this.plot = null;
    }
}
