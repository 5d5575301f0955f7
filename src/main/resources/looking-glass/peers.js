// The BGP peers of the routers, one row per RIB view, with what their OPEN messages contained.

import {all} from './api.js';
import {badge, el, known} from './dom.js';
import {count, number, plain, time, viewName} from './format.js';
import {labelFilter, labels} from './labels.js';
import {changed, opened, to} from './location.js';
import {peer as peerName} from './routes.js';
import {Table} from './table.js';

const KINDS = {up: 'good', stale: 'stale', down: 'bad', unannounced: 'stale'};
const STATES = ['up', 'stale', 'unannounced', 'down'];

export async function render(state, page) {
    const [peers, counts] = await Promise.all([
        all('peers', {at: state.at, label: state.label}, page.signal),
        all('reconcile', {router: state.router, at: state.at, limit: 100000}, page.signal).catch(error => ignoreProblem(error)),
    ]);
    const ofRouter = peers.filter(peer => !state.router || peer.router === state.router);
    const shown = ofRouter.filter(peer => !state.state || peer.state === state.state);
    const table = new Table(columns(counts, shown, state), {
        caption: 'BGP peers',
        group: peer => peer.router,
        groupHeader: peer => el('span', {}, el('a', {href: to({view: 'peers', router: peer.router})}, peer.router)),
        rowClass: peer => (peer.state === 'up' ? null : peer.state),
        details,
        detailsName: peer => `${peerName(peer)} ${viewName(peer.rib_view)}`,
        ...opened(peer => [peer.router, peer.peer_address, peer.peer_distinguisher, peer.peer_bgp_id, peer.rib_view].join(' ')),
    });
    const summary = `${count(ofRouter.length, 'peer view')}, ${ofRouter.filter(peer => peer.state === 'up').length} up`;
    page.show(state.router ? `Peers of ${state.router}` : 'Peers', el('p', {class: 'summary'}, summary), filters(ofRouter, state), labelFilter(state),
        shown.length > 0 ? table.element : el('p', {class: 'notice'}, 'No peer is in this state.'));
    table.add(shown);
    page.announce(summary);
}

function columns(counts, peers, state) {
    return [
        {title: 'Peer', header: true, class: 'peer', cell: peer => el('span', {}, peerName(peer), el('span', {class: 'asn'}, `AS${peer.peer_asn}`))},
        {title: 'View', cell: peer => el('span', {class: 'view'}, viewName(peer.rib_view))},
        {title: 'State', cell: peer => badge(peer.state ?? 'unknown', KINDS[peer.state] ?? 'stale')},
        {title: 'Since', cell: peer => time(peer.state === 'down' ? peer.down_at : peer.up_at)},
        {title: 'Flaps in 24 h', class: 'number', cell: peer => number(peer.flaps)},
        ...(peers.some(peer => peer.labels) ? [{title: 'Labels', cell: peer => labels(peer.labels, state)}] : []),
        {title: 'Reason of the last down', class: 'wide', cell: peer => (peer.down_at || peer.down_reason ? known(peer.down_reason) : '')},
        {title: 'BGP ID', class: 'address', cell: peer => known(peer.peer_bgp_id)},
        ...(counts === null ? [] : [{title: 'Routes, of the router’s', class: 'number', cell: peer => routeCounts(peer, counts)}]),
    ];
}

/** The station's count beside the router's own (Statistics Reports): of all families where the router sends it. */
function routeCounts(peer, counts) {
    const own = counts.filter(row => row.router === peer.router && row.peer_address === peer.peer_address
        && row.peer_distinguisher === peer.peer_distinguisher && row.peer_bgp_id === peer.peer_bgp_id && row.rib_view === peer.rib_view);
    const families = own.filter(row => row.family);
    const total = own.find(row => !row.family) ?? {
        station_count: families.reduce((sum, row) => sum + row.station_count, 0),
        router_count: families.length > 0 && families.every(row => row.router_count !== undefined)
            ? families.reduce((sum, row) => sum + row.router_count, 0) : undefined,
    };
    if (own.length === 0) {
        return known(null);
    }
    return el('span', {title: own.map(row => `${row.family ?? 'all families'}: ${row.station_count} of ${row.router_count ?? 'unknown'}, ${row.state}${row.reason ? `, ${row.reason}` : ''}`).join('\n')},
        number(total.station_count), el('span', {class: 'of'}, ' of ', known(total.router_count === undefined ? null : number(total.router_count))),
        own.some(row => row.state === 'differs') ? [' ', badge('differs', 'bad')] : null);
}

function filters(peers, state) {
    const links = [['all', changed({state: null}), !state.state, peers.length],
        ...STATES.map(name => [name, changed({state: name}), state.state === name, peers.filter(peer => peer.state === name).length])];
    return el('nav', {class: 'tools', 'aria-label': 'State'},
        links.map(([text, href, isCurrent, size]) => el('a', {href, 'aria-current': isCurrent ? 'true' : null}, `${text} `, el('span', {class: 'of'}, String(size)))),
        state.router ? el('a', {href: changed({router: null})}, 'all routers') : null);
}

function details(peer) {
    const {sent, received, session} = peer.capabilities ?? {};
    return el('div', {class: 'columns'},
        facts('Session', {
            'Local address': peer.local_address ? `${peer.local_address}${peer.local_port ? ` port ${peer.local_port}` : ''}` : null,
            'Remote port': peer.remote_port ?? null,
            'Peer type': peer.peer_type,
            ...(peer.peer_type === 'global' ? {} : {Distinguisher: peer.peer_distinguisher}),
            ...(peer.table_name ? {Table: peer.table_name} : {}),
            ...Object.fromEntries(Object.entries(session ?? {}).map(([name, value]) => [name.replaceAll('_', ' '), sessionText(value)])),
        }),
        open('OPEN sent by the router', sent), open('OPEN received from the peer', received));
}

function sessionText(value) {
    return value === true ? 'yes' : value === false ? 'no' : Array.isArray(value) && value.length === 0 ? 'none' : value;
}

/** An OPEN message. The multiprotocol capabilities, one per family, are shown together. */
function open(title, message) {
    if (!message) {
        return facts(title, {Message: null});
    }
    return facts(title, {
        AS: message.asn, 'BGP ID': message.bgp_id, 'Hold time': `${message.hold_time} s`,
        Families: (message.families ?? []).join(', ') || 'none',
        ...Object.fromEntries((message.capabilities ?? []).filter(capability => capability.name !== 'multiprotocol')
            .map(capability => [capability.name ?? `capability ${capability.code}`, capabilityText(capability)])),
    });
}

/** What a capability contains besides its code and bytes. */
function capabilityText({code, name, value, ...fields}) {
    const text = Object.entries(fields).map(([key, part]) => (key === 'family' ? part : `${key.replaceAll('_', ' ')} ${plain(part) || 'none'}`)).join(', ');
    return text || (value ? `0x${value}` : 'yes');
}

function facts(title, values) {
    return el('section', {}, el('h2', {}, title), el('dl', {class: 'attributes'}, Object.entries(values).map(([name, value]) =>
        el('div', {}, el('dt', {}, name), el('dd', {}, value === null || value === undefined ? known(null) : plain(value))))));
}

/** The peers are worth showing without the counts. */
function ignoreProblem(error) {
    if (error.name === 'AbortError') {
        throw error;
    }
    return null;
}
