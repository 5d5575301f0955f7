// The timeline of a prefix: every announcement and withdrawal, and the routes at any moment between them.

import {rows, WITH_VALIDITY} from './api.js';
import {asPath, attributeList, attributesOf, difference, differences, title, validity} from './attributes.js';
import {badge, el, svg} from './dom.js';
import {count, micros, preciseTimeText, time, timeText, viewName} from './format.js';
import {pathGraph} from './graph.js';
import {changed, current, opened, to} from './location.js';
import {byPlace, peer as peerName} from './routes.js';
import {parse} from './search.js';
import {Table} from './table.js';

const MAX_EVENTS = 5000;
const MAX_LANES = 40;
const WIDTH = 1000;
const LANE_HEIGHT = 20;
const MINUTE = 60_000_000;

export async function render(state, page) {
    const query = parse(state.q);
    if (query === null || query.kind !== 'prefix') {
        page.show('History', el('p', {class: 'notice'}, query?.kind === 'address'
            ? el('span', {}, 'The history is that of a prefix: ', el('a', {href: to({q: state.q})}, 'look up the address'), ' and follow one of its prefixes.')
            : 'Search for a prefix, such as 192.0.2.0/24, to see everything that happened to it.'));
        return;
    }
    const events = [];
    let next = null;
    for await (const some of rows('routes/history', {prefix: query.text, from: state.from, to: state.to, order: 'desc', limit: MAX_EVENTS, fields: WITH_VALIDITY}, page.signal,
        cursor => { next = cursor; })) {
        events.push(...some);
    }
    events.reverse();
    const changes = withChanges(events);
    const summary = events.length === 0
        ? 'Nothing is known about this prefix.'
        : `${next === null ? '' : 'The newest '}${count(events.length, 'event')} between ${clock(events)(events[0].received_at)} and ${clock(events)(events.at(-1).received_at)} UTC`;
    const table = eventTable(query.text);
    page.show(query.text, el('p', {class: 'summary'}, summary),
        events.length > 0 ? scrubber(changes, query.text, page) : null,
        events.length > 0 ? el('h2', {}, 'Events, newest first') : null,
        events.length > 0 ? table.element : null);
    table.add(changes.toReversed());
    page.announce(summary);
}

/** The text of a time: with milliseconds where the events of the prefix are within a minute. */
function clock(events) {
    return micros(events.at(-1).received_at) - micros(events[0].received_at) < MINUTE ? preciseTimeText : timeText;
}

function laneOf(event) {
    return JSON.stringify([event.router, event.peer_address, event.peer_distinguisher, event.peer_bgp_id, event.rib_view, event.family, event.rd, event.path_id]);
}

/** Each event with the attributes before it, those of the event before of the same peer, view and path. */
function withChanges(events) {
    const last = new Map();
    return events.map(event => {
        const lane = laneOf(event);
        const before = last.get(lane);
        last.set(lane, event);
        return {...event, lane, before: before?.event === 'announce' ? before : null};
    });
}

function eventTable(prefix) {
    return new Table([
        {title: 'Received', header: true, class: 'time', cell: event => el('a', {href: changed({at: event.received_at}), title: `Show the state at ${event.received_at}`}, preciseTimeText(event.received_at))},
        {title: 'Event', cell: event => [badge(event.event, event.event === 'announce' ? 'good' : 'bad'), event.synthetic ? [' ', badge('synthetic', 'stale')] : null, validity(event)]},
        {title: 'Router', class: 'name', cell: event => event.router},
        {title: 'Peer', class: 'address', cell: peerName},
        {title: 'View', cell: event => viewName(event.rib_view)},
        {title: 'What changed', class: 'wide', cell: whatChanged},
    ], {
        caption: `Events of ${prefix}`,
        details: event => (event.event === 'announce' ? attributeList(attributesOf(event)) : el('p', {}, 'A withdrawal has no attributes.')),
        detailsName: event => `${event.event} ${timeText(event.received_at)}`,
        rowClass: event => (event.synthetic ? 'stale' : null),
        ...opened(event => `${event.session_id}-${event.sequence}`),
    });
}

function whatChanged(event) {
    if (event.event !== 'announce') {
        return event.before ? el('span', {}, 'was ', asPath(event.before.as_path)) : 'was not there';
    }
    if (event.before === null) {
        return el('span', {}, 'new: ', asPath(event.as_path));
    }
    const before = attributesOf(event.before);
    const after = attributesOf(event);
    const names = differences(before, after);
    return names.length === 0 ? el('span', {class: 'absent'}, 'repeated without a change')
        : el('dl', {class: 'inline'}, names.map(name => el('div', {}, el('dt', {}, title(name)), el('dd', {}, difference(name, before[name], after[name])))));
}

/** A strip per peer and view with the time of each event, and a slider over the moments of all events. */
function scrubber(events, prefix, page) {
    const moments = [...new Set(events.map(event => event.received_at))];
    const lanes = [...Map.groupBy(events, event => event.lane).values()].sort(([a], [b]) => byPlace(a, b));
    const first = micros(moments[0]);
    const span = Math.max(1, micros(moments.at(-1)) - first);
    const x = at => Math.min(WIDTH, Math.max(0, (micros(at) - first) / span * WIDTH));
    const marker = svg('line', {y1: 0, y2: Math.min(lanes.length, MAX_LANES) * LANE_HEIGHT, class: 'marker'});
    const state = el('div', {class: 'state-at', 'aria-live': 'polite'});
    const label = el('output', {for: 'scrub', class: 'time'});
    const slider = el('input', {id: 'scrub', type: 'range', min: 0, max: moments.length - 1, step: 1});

    const text = clock(events);
    const show = at => {
        marker.setAttribute('x1', x(at));
        marker.setAttribute('x2', x(at));
        label.textContent = `${text(at)} UTC`;
        slider.setAttribute('aria-valuetext', text(at));
        state.replaceChildren(stateAt(lanes, at));
    };
    const at = current().at;
    slider.value = at ? Math.max(0, moments.findLastIndex(moment => micros(moment) <= micros(at))) : moments.length - 1;
    show(at ?? moments.at(-1));
    slider.addEventListener('input', () => show(moments[slider.value]));
    // The URL follows when the slider rests. The events are the same, so the view need not be rendered again.
    slider.addEventListener('change', () => {
        window.history.replaceState(null, '', changed({at: moments[slider.value]}));
        page.announce(state.textContent);
    });

    return el('section', {class: 'timeline', 'aria-label': 'Timeline'},
        el('div', {class: 'lanes'},
            el('div', {class: 'lane-names'}, lanes.slice(0, MAX_LANES).map(([event]) => {
                const name = [event.router, peerName(event), viewName(event.rib_view), event.rd && `RD ${event.rd}`, event.path_id && `path ${event.path_id}`].filter(Boolean).join(' · ');
                return el('span', {title: name}, name);
            })),
            svg('svg', {viewBox: `0 0 ${WIDTH} ${Math.min(lanes.length, MAX_LANES) * LANE_HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true'},
                lanes.slice(0, MAX_LANES).map((lane, i) => laneShape(lane, i * LANE_HEIGHT, x)), marker)),
        lanes.length > MAX_LANES ? el('p', {class: 'more'}, `The first ${MAX_LANES} of ${lanes.length} peers and views are drawn.`) : null,
        el('div', {class: 'scrub'}, el('label', {for: 'scrub'}, 'Moment'), slider, label),
        el('h2', {}, 'Routes at this moment'), state);
}

/** A bar for the time in which the route was there, and a tick for each event. */
function laneShape(lane, y, x) {
    const shapes = [];
    lane.forEach((event, i) => {
        const from = x(event.received_at);
        const until = i + 1 < lane.length ? x(lane[i + 1].received_at) : WIDTH;
        if (event.event === 'announce') {
            shapes.push(svg('rect', {x: from, y: y + 7, width: Math.max(1, until - from), height: 6, class: 'there'}));
        }
        shapes.push(svg('rect', {x: Math.min(from, WIDTH - 2), y: y + 3, width: 2, height: 14, class: event.event}));
    });
    return shapes;
}

/** The last event of each lane up to a moment. */
function stateAt(lanes, at) {
    const routes = lanes.map(lane => lane.findLast(event => micros(event.received_at) <= micros(at)))
        .filter(event => event?.event === 'announce');
    if (routes.length === 0) {
        return el('p', {class: 'absent'}, 'No route');
    }
    const table = new Table([
        {title: 'Router', header: true, class: 'name', cell: route => route.router},
        {title: 'Peer', class: 'address', cell: peerName},
        {title: 'View', cell: route => el('span', {}, viewName(route.rib_view), route.path_id === undefined ? null : el('span', {class: 'asn'}, `path ${route.path_id}`))},
        {title: 'AS path', class: 'wide', cell: route => asPath(route.as_path)},
        {title: 'Since', class: 'time', cell: route => time(route.received_at)},
    ], {caption: 'Routes at this moment'});
    table.add(routes);
    return el('div', {}, pathGraph(routes.map(route => route.as_path)), table.element);
}
