// What a destination, an AS or a community is routed by: every path of every router, peer and RIB view.

import {all, get, rows, WITH_VALIDITY} from './api.js';
import {allCommunities, asPath, attributeList, attributesOf, validity} from './attributes.js';
import {bestCell, withBest} from './best.js';
import {badge, el, known, present, unknown} from './dom.js';
import {count, time, viewName, VIEW_ORDER} from './format.js';
import {changed, opened, to} from './location.js';
import {parse} from './search.js';
import {Table} from './table.js';

/** How prefixes are matched, for a search for a prefix. */
const MATCHES = {longest: 'longest match', exact: 'this prefix', covering: 'covering it', covered: 'covered by it'};

const COLUMNS = [
    {title: 'Peer', header: true, class: 'peer', cell: route => el('span', {}, peer(route), el('span', {class: 'asn'}, `AS${route.peer_asn}`))},
    {title: 'View', cell: route => el('span', {class: 'view'}, viewName(route.rib_view), route.stale ? [' ', badge('stale', 'stale')] : null)},
    {title: 'Best', cell: bestCell},
    {title: 'Prefix', class: 'prefix', cell: route => [destination(route), validity(route)]},
    {title: 'Next hop', class: 'address', cell: route => present(route.next_hop)},
    {title: 'AS path', class: 'wide', cell: route => asPath(route.as_path)},
    {title: 'LP', class: 'number', cell: route => present(route.local_pref)},
    {title: 'MED', class: 'number', cell: route => present(route.med)},
    {title: 'Communities', class: 'wide', cell: route => allCommunities(route)},
];

const ROUTER = {title: 'Router', class: 'name', cell: route => el('a', {href: to({view: 'peers', router: route.router})}, route.router)};

const ROW_OPTIONS = {
    rowClass: route => (route.stale ? 'stale' : null),
    details,
    detailsName: route => `${route.prefix ?? route.nlri} ${peer(route)} ${viewName(route.rib_view)}`,
    ...opened(route => [route.router, route.peer_address, route.peer_distinguisher, route.peer_bgp_id, route.rib_view,
        route.family, route.rd, route.prefix ?? route.nlri, route.path_id].filter(Boolean).join(' ')),
};

const MAX_ROUTES = 1000;

export async function render(state, page) {
    const query = parse(state.q);
    if (!state.q) {
        page.show('Look up a route', introduction());
        return;
    }
    if (query === null) {
        page.show('Routes', notUnderstood(state.q));
        page.announce('Not an address, a prefix, an AS number, a community or a name');
        return;
    }
    if (query.kind === 'name') {
        await renderName(query.text, state, page);
    } else if (query.kind === 'address' || query.kind === 'prefix' && (state.match ?? 'longest') === 'longest') {
        await renderLookup(query, state, page);
    } else {
        await renderSearch(query, state, page);
    }
}

/** A name is looked up by one of its addresses; links choose another. */
async function renderName(name, state, page) {
    const {addresses} = await get('resolve', {name}, page.signal);
    if (addresses.length === 0) {
        page.show(name, el('p', {class: 'notice'}, 'The station has found no address of this name.'));
        page.announce('No address');
        return;
    }
    const address = addresses.includes(state.address) ? state.address : addresses[0];
    await renderLookup({kind: 'address', text: address}, state, page, el('nav', {class: 'tools', 'aria-label': `Addresses of ${name}`},
        addresses.map(other => el('a', {href: changed({address: other}), 'aria-current': other === address ? 'true' : null}, other))));
}

async function renderLookup(query, state, page, choice = tools(query, state)) {
    // The RIB in memory has no past; the database does.
    const routes = state.at
        ? await all('routes', {prefix: query.text, match: 'longest', at: state.at, limit: MAX_ROUTES, fields: WITH_VALIDITY}, page.signal)
        : await all('lookup', {[query.kind]: query.text}, page.signal);
    routes.sort(byPlace);
    const table = routeTable(`Routes for ${query.text}`);
    const summary = summarize(routes, query);
    page.show(query.text, el('p', {class: 'summary'}, summary), choice,
        routes.length > 0 ? table.element : null, routes.length > 0 ? legend(routes) : null);
    table.add(routes.map(route => withBest(route, routes)));
    page.announce(summary);
}

/** Rows come in the order of their prefixes, so that the router is a column of its own. */
async function renderSearch(query, state, page) {
    const heading = query.kind === 'as' ? `AS${query.text}` : query.text;
    const table = searchTable(`Routes of ${heading}`);
    const summary = el('p', {class: 'summary'}, 'Searching…');
    const more = el('p', {class: 'more'});
    const meaning = el('div');
    page.show(heading, summary, tools(query, state), table.element, more, meaning);
    let found = 0;
    let next = null;
    const parameters = {...searchParameters(query, state), at: state.at, cursor: state.cursor, limit: MAX_ROUTES, fields: WITH_VALIDITY};
    for await (const some of rows('routes', parameters, page.signal, cursor => { next = cursor; })) {
        found += some.length;
        // The answer may lack the other routes for a prefix.
        table.add(some.map(route => withBest(route, [])));
        if (meaning.childElementCount === 0) {
            meaning.append(legend(some));
        }
        summary.textContent = `${count(found, 'route')}…`;
    }
    summary.textContent = found === 0 ? 'No route.' : `${state.cursor ? 'The next' : next ? 'The first' : ''} ${count(found, 'route')}`.trim();
    table.element.hidden = found === 0;
    if (next !== null) {
        more.replaceChildren(el('a', {href: changed({cursor: next})}, 'More routes'));
    }
    page.announce(summary.textContent);
}

function searchParameters(query, state) {
    switch (query.kind) {
        case 'as':
            return {[state.as === 'path' ? 'as_path_contains' : 'origin_asn']: query.text};
        case 'community':
            return {community: query.text};
        default:
            return {prefix: query.text, match: state.match};
    }
}

function routeTable(caption) {
    return new Table(COLUMNS, {
        caption,
        group: route => route.router,
        groupHeader: route => el('a', {href: to({view: 'peers', router: route.router})}, route.router),
        ...ROW_OPTIONS,
    });
}

function searchTable(caption) {
    return new Table([COLUMNS.find(column => column.title === 'Prefix'), ROUTER, ...COLUMNS.filter(column => column.title !== 'Prefix')]
        .map((column, i) => ({...column, header: i === 0})), {caption, ...ROW_OPTIONS});
}

/** The order in which an operator reads: router, peer, and each peer's views in the order of the route's way. */
export function byPlace(a, b) {
    return a.router.localeCompare(b.router) || peer(a).localeCompare(peer(b), 'en', {numeric: true})
        || VIEW_ORDER.indexOf(a.rib_view) - VIEW_ORDER.indexOf(b.rib_view)
        || (a.path_id ?? -1) - (b.path_id ?? -1);
}

/** A Loc-RIB belongs to the router and has the address 0.0.0.0. */
export function peer(route) {
    return route.rib_view === 'loc-rib' ? 'router itself' : route.peer_address ?? 'unknown';
}

export function destination(route) {
    const text = route.prefix ?? route.nlri;
    return el('span', {},
        route.prefix ? el('a', {href: to({q: route.prefix, view: 'history'}), title: 'History of this prefix'}, text) : known(text),
        route.rd ? el('span', {class: 'asn'}, `RD ${route.rd}`) : null,
        route.path_id === undefined || route.path_id === null ? null : el('span', {class: 'asn'}, `path ${route.path_id}`),
        route.family && !/^ipv[46]-unicast$/.test(route.family) ? el('span', {class: 'asn'}, route.family) : null);
}

function details(route) {
    return el('div', {},
        attributeList(attributesOf(route)),
        el('dl', {class: 'attributes facts'},
            [['Best', route.best.why], ['Peer BGP ID', route.peer_bgp_id], ['Peer type', route.peer_type], ['Distinguisher', route.peer_distinguisher],
                ['Table', route.table_name], ['Family', route.family]]
                .filter(([, text]) => text !== undefined && text !== null)
                .map(([title, text]) => el('div', {}, el('dt', {}, title), el('dd', {}, text))),
            [['First seen', route.first_seen], ['Last changed', route.last_changed]]
                .filter(([, at]) => at !== undefined)
                .map(([title, at]) => el('div', {}, el('dt', {}, title), el('dd', {}, time(at))))));
}

/** What the cells without a value mean. */
function legend(routes) {
    const hasValidity = routes.some(route => route.rpki_validity);
    return el('p', {class: 'legend'},
        el('span', {}, present(null), ' the route does not have this attribute'),
        el('span', {}, unknown(), ' the router has not sent what it takes to know it'),
        hasValidity ? null : el('span', {}, 'RPKI validity ', unknown(), ': the station has no VRPs for these routes'));
}

function summarize(routes, query) {
    if (routes.length === 0) {
        return `No router has a route for this ${query.kind}.`;
    }
    const prefixes = new Set(routes.map(route => route.prefix));
    const stale = routes.filter(route => route.stale).length;
    return [
        `${count(routes.length, 'path')} of ${count(new Set(routes.map(route => route.router)).size, 'router')}`,
        prefixes.size === 1 ? `longest match ${[...prefixes][0]}` : `longest matches between /${shortest(prefixes)} and /${longest(prefixes)}`,
        routes.some(route => route.incomplete) ? 'incomplete: the station lacks some routes' : null,
        stale === 0 ? null : stale === routes.length ? 'all stale: the routers are not connected' : `${stale} stale`,
    ].filter(Boolean).join(' · ');
}

function lengths(prefixes) {
    return [...prefixes].map(prefix => Number(prefix.slice(prefix.indexOf('/') + 1)));
}

function shortest(prefixes) {
    return Math.min(...lengths(prefixes));
}

function longest(prefixes) {
    return Math.max(...lengths(prefixes));
}

/** Other ways to search for the same text. */
function tools(query, state) {
    const choices = query.kind === 'prefix'
        ? Object.entries(MATCHES).map(([match, text]) => [text, changed({match: match === 'longest' ? null : match}), (state.match ?? 'longest') === match])
        : query.kind === 'as'
            ? [['originated by it', changed({as: null}), state.as !== 'path'], ['with it in the path', changed({as: 'path'}), state.as === 'path']]
            : [];
    return choices.length === 0 ? null : el('nav', {class: 'tools', 'aria-label': 'Match'}, choices.map(([text, href, isCurrent]) =>
        el('a', {href, 'aria-current': isCurrent ? 'true' : null}, text)));
}

function introduction() {
    const examples = [['192.0.2.1', 'the longest match for an address, in every router, peer and view'],
        ['2001:db8::/32', 'a prefix, or what covers it'], ['AS64500', 'the routes that an AS originates'],
        ['65535:666', 'the routes with a community; an asterisk stands for any value: 64500:*'],
        ['no-export', 'a well-known community by its name'], ['www.example.net', 'the longest match for the addresses of a name']];
    return el('div', {class: 'introduction'},
        el('p', {}, 'Type what you look for, then Enter. The key ', el('kbd', {}, '/'), ' goes to the search box from anywhere.'),
        el('dl', {class: 'examples'}, examples.map(([text, meaning]) =>
            el('div', {}, el('dt', {}, el('a', {href: to({q: text})}, text)), el('dd', {}, meaning)))),
        el('p', {}, 'Set a time at the top to see the past instead of the present.'));
}

function notUnderstood(text) {
    return el('div', {class: 'notice', role: 'alert'},
        el('p', {}, el('code', {}, text), ' is not an address, a prefix, an AS number, a community or a name.'), introduction());
}
