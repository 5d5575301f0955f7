// Which paths a router has selected, as far as its other routes in the same answer show it.

import {badge, el, unknown} from './dom.js';

const SEVERAL = 'The Loc-RIB contains several paths, and the router has not marked the best one.';

/**
 * Adds `best` to a route: `{is, why}`, where `is` is true, false, or null if it cannot be known, and `why` is a
 * sentence.
 *
 * @param {object[]} others all routes of the same longest match, or none if the answer may lack some
 */
export function withBest(route, others) {
    return {...route, best: judge(route, others)};
}

function judge(route, others) {
    // An empty marking reports that no status applies, which is not about the selection.
    if (route.path_status?.length > 0) {
        const isBest = route.path_status.includes('best');
        return {is: isBest, why: `The router has marked the path: ${[...route.path_status, route.path_reason].filter(Boolean).join(', ')}.`};
    }
    if (route.rib_view.startsWith('adj-rib-out')) {
        return {is: null, why: 'The router advertises the path; what it has selected is in the Loc-RIB.'};
    }
    const table = others.filter(other => other.rib_view === 'loc-rib' && isSameTable(route, other));
    const paths = table.filter(other => other.prefix === route.prefix);
    if (route.rib_view === 'loc-rib') {
        return paths.length > 1 || others.length === 0 && route.path_id !== undefined ? {is: null, why: SEVERAL}
            : {is: true, why: 'The path is in the Loc-RIB: the router has selected it.'};
    }
    if (table.length === 0) {
        return {is: null, why: 'The router has sent neither a path marking nor a Loc-RIB with a route for it.'};
    }
    if (table.some(other => length(other) > length(route))) {
        return {is: null, why: 'The longest match in the Loc-RIB is more specific.'};
    }
    const accepted = others.find(other => other.rib_view === 'adj-rib-in-post' && isSamePath(route, other)) ?? route;
    if (!paths.some(other => ['as_path', 'next_hop', 'origin'].every(name => other[name] === accepted[name]))) {
        return {is: false, why: 'The router has selected another path: see its Loc-RIB.'};
    }
    return paths.length > 1 ? {is: null, why: SEVERAL} : {is: true, why: 'The Loc-RIB has the same AS path, next hop and origin.'};
}

function isSameTable(a, b) {
    return a.router === b.router && a.family === b.family && a.peer_distinguisher === b.peer_distinguisher;
}

function isSamePath(a, b) {
    return isSameTable(a, b) && ['peer_address', 'peer_bgp_id', 'prefix', 'path_id'].every(name => a[name] === b[name]);
}

function length(route) {
    return Number(route.prefix.slice(route.prefix.indexOf('/') + 1));
}

export function bestCell({best}) {
    return el('span', {title: best.why}, best.is === null ? unknown() : best.is ? badge('best', 'good') : badge('not best', 'neutral'));
}
