// A prefix in the five RIB views side by side, and what policy changed between them.

import {all} from './api.js';
import {difference, differences, sorted, title, validity, value} from './attributes.js';
import {badge, el} from './dom.js';
import {count, viewName, VIEW_ORDER} from './format.js';
import {to} from './location.js';
import {peer as peerName} from './routes.js';
import {parse} from './search.js';

export async function render(state, page) {
    const query = parse(state.q);
    if (query === null || query.kind !== 'prefix' && query.kind !== 'address') {
        page.show('Compare', el('p', {class: 'notice'}, 'Search for a prefix or an address to see it in the five RIB views side by side.'));
        return;
    }
    const prefix = query.kind === 'prefix' ? query.text : await longestMatch(query.text, state, page);
    if (prefix === null) {
        page.show('Compare', el('p', {class: 'summary'}, `No router has a route for ${query.text}.`));
        return;
    }
    const paths = await comparison(prefix, state, page);
    const summary = paths.length === 0 ? 'No router has this prefix. Search for an address to see what covers it.' : `${count(paths.length, 'path')} of ${count(new Set(paths.map(path => path.router)).size, 'router')}`;
    page.show(el('span', {}, prefix, query.kind === 'address' ? el('span', {class: 'asn'}, ` longest match for ${query.text}`) : null),
        el('p', {class: 'summary'}, summary), ...paths.map(path => section(path)));
    page.announce(summary);
}

async function longestMatch(address, state, page) {
    const routes = state.at
        ? await all('routes', {prefix: address, match: 'longest', at: state.at, fields: 'prefix', limit: 1000}, page.signal)
        : await all('lookup', {address}, page.signal);
    return routes.map(route => route.prefix).sort((a, b) => Number(b.split('/')[1]) - Number(a.split('/')[1]))[0] ?? null;
}

/** One object per path of a peer: its views, each a set of attributes, and the station's judgement of the policy. */
async function comparison(prefix, state, page) {
    const rows = await all('compare', {prefix, at: state.at}, page.signal);
    const withPeers = new Set(rows.filter(row => row.direction !== 'loc-rib').map(row => row.router));
    return rows.filter(row => row.direction !== 'loc-rib' || !withPeers.has(row.router)).map(row => ({
        ...row,
        views: Object.fromEntries(VIEW_ORDER.map(view => [view, row[view.replaceAll('-', '_')]]).filter(([, set]) => set)),
    }));
}

function section(path) {
    const views = VIEW_ORDER.filter(view => path.views[view]);
    const names = sorted(views.flatMap(view => Object.keys(path.views[view])));
    return el('section', {class: `comparison ${path.stale ? 'stale' : ''}`},
        el('h2', {},
            el('a', {href: to({view: 'peers', router: path.router})}, path.router), ' · ',
            path.direction === 'loc-rib' ? 'Loc-RIB' : peerName(path), el('span', {class: 'asn'}, `AS${path.peer_asn}`),
            path.path_id === null || path.path_id === undefined ? null : el('span', {class: 'asn'}, `path ${path.path_id}`),
            path.stale ? [' ', badge('stale', 'stale')] : null),
        el('p', {class: 'outcome'},
            path.outcome ? [path.direction === 'out' ? 'To the peer: ' : path.direction === 'in' ? 'From the peer: ' : '', el('strong', {}, path.outcome)] : null,
            path.selected === true ? [' ', badge('selected', 'good')] : null,
            path.selected === false ? [' ', badge('not selected', 'neutral')] : null,
            path.direction === 'in' && path.selected === undefined ? [' ', badge('selection unknown', 'neutral')] : null,
            validity(path)),
        el('div', {class: 'table'}, el('table', {role: 'table', class: 'side-by-side'},
            el('caption', {class: 'hidden'}, 'Attributes by RIB view'),
            el('thead', {role: 'rowgroup'}, el('tr', {role: 'row'}, el('th', {role: 'columnheader', scope: 'col'}, 'Attribute'),
                views.map(view => el('th', {role: 'columnheader', scope: 'col'}, viewName(view), view === 'loc-rib' && path.selected === false ? ' (another path)' : null)))),
            el('tbody', {role: 'rowgroup'}, names.map(name => attributeRow(name, path, views))))));
}

/** Each view's value, marked where it differs from the view before. */
function attributeRow(name, path, views) {
    let isChanged = false;
    const cells = views.map((view, i) => {
        const set = path.views[view];
        const before = i === 0 ? null : path.views[views[i - 1]];
        // The Loc-RIB has another path than the one that was not selected.
        const isOther = view === 'loc-rib' && path.selected === false;
        const differs = before !== null && !isOther && differences({[name]: before[name]}, {[name]: set[name]}).length > 0;
        isChanged ||= differs;
        return el('td', {role: 'cell', 'data-title': viewName(view), class: differs ? 'changed' : null},
            el('span', {class: 'value'}, differs ? difference(name, before[name], set[name]) : value(name, set[name])));
    });
    return el('tr', {role: 'row', class: isChanged ? 'changed' : null}, el('th', {role: 'rowheader', scope: 'row'}, title(name)), cells);
}
