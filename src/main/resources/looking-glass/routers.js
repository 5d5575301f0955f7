// The monitored routers.

import {all} from './api.js';
import {badge, el, known} from './dom.js';
import {count, number, time} from './format.js';
import {labelFilter, labels} from './labels.js';
import {to} from './location.js';
import {Table} from './table.js';

export async function render(state, page) {
    const [routers, peers] = await Promise.all([
        all('routers', {at: state.at, label: state.label}, page.signal),
        all('peers', {at: state.at}, page.signal).catch(ignoreProblem),
    ]);
    const counts = peerCounts(peers);
    const connected = routers.filter(router => router.state === 'connected').length;
    const table = new Table([
        {title: 'Router', header: true, class: 'name', cell: router => el('a', {href: to({view: 'peers', router: router.router})}, router.router)},
        {title: 'State', cell: router => badge(router.state ?? 'unknown', router.state === 'connected' ? 'good' : 'stale')},
        {title: 'Since', cell: router => time(router.state === 'connected' ? router.connected_at : router.disconnected_at)},
        {title: 'Address', class: 'address', cell: router => known(router.address)},
        ...(routers.some(router => router.labels) ? [{title: 'Labels', cell: router => labels(router.labels, state)}] : []),
        {title: 'Peer views up', class: 'number', cell: router => (peers === null ? known(null) : upOfTotal(counts.get(router.router)))},
        {title: 'Flaps in 24 h', class: 'number', cell: router => number(router.flaps)},
        {title: 'System name', class: 'name', cell: router => known(router.sys_name)},
        {title: 'Description', class: 'wide', cell: router => known(router.sys_descr)},
    ], {caption: 'Monitored routers', rowClass: router => (router.state === 'connected' ? null : 'stale')});
    const summary = routers.length === 0
        ? state.label ? `No router has the label ${state.label}.` : state.at ? 'No router had connected to this station.' : 'No router has connected to this station.'
        : `${count(routers.length, 'router')}, ${connected} connected`;
    page.show('Routers', el('p', {class: 'summary'}, summary), labelFilter(state), routers.length > 0 ? table.element : null);
    table.add(routers);
    page.announce(summary);
}

function peerCounts(peers) {
    const counts = new Map();
    for (const peer of peers ?? []) {
        const count = counts.get(peer.router) ?? {up: 0, total: 0};
        count.total++;
        count.up += peer.state === 'up' ? 1 : 0;
        counts.set(peer.router, count);
    }
    return counts;
}

function upOfTotal(count) {
    return count === undefined ? '0' : el('span', {}, number(count.up), el('span', {class: 'of'}, ` of ${count.total}`));
}

/** The routers are worth showing without their peers. */
function ignoreProblem(error) {
    if (error.name === 'AbortError') {
        throw error;
    }
    return null;
}
