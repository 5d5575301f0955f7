// Alerts on prefixes, routers, peers and tables: those that are open, and past ones, with their evidence.

import {rows} from './api.js';
import {asPath} from './attributes.js';
import {badge, el, known} from './dom.js';
import {count, duration, micros, number, time, viewName} from './format.js';
import {changed, opened, to} from './location.js';
import {Table} from './table.js';

const PAGE_SIZE = 100;
const STATES = ['open', 'closed', 'all'];

export async function render(state, page) {
    const which = STATES.includes(state.state) ? state.state : 'open';
    const alerts = [];
    let next = null;
    for await (const some of rows('alerts', {state: which, at: state.at, rule: state.rule, router: state.router, prefix: state.prefix, cursor: state.cursor, limit: PAGE_SIZE}, page.signal,
        cursor => { next = cursor; })) {
        alerts.push(...some);
    }
    const table = alertTable(which);
    const summary = summaryOf(alerts, which, state, next !== null || Boolean(state.cursor));
    page.show('Alerts', el('p', {class: 'summary'}, summary), filters(which, state),
        alerts.length > 0 ? table.element : null,
        next === null ? null : el('p', {class: 'more'}, el('a', {href: changed({cursor: next})}, 'Older alerts')));
    table.add(alerts);
    page.announce(summary);
}

function summaryOf(alerts, which, state, isPart) {
    if (alerts.length === 0) {
        return which !== 'open' ? 'No alert.' : state.at ? 'No alert was open.' : 'No alert is open.';
    }
    const kind = which === 'all' ? 'alert' : `${which} alert`;
    return isPart ? `A page of ${count(alerts.length, kind)}` : count(alerts.length, kind);
}

function filters(which, state) {
    return el('nav', {class: 'tools', 'aria-label': 'Filters'},
        STATES.map(name => el('a', {href: changed({state: name === 'open' ? null : name, cursor: null}), 'aria-current': name === which ? 'true' : null}, name)),
        ['rule', 'router', 'prefix'].filter(name => state[name]).map(name =>
            el('a', {href: changed({[name]: null, cursor: null}), 'aria-label': `${name} ${state[name]}: remove this filter`}, `${state[name]} ×`)));
}

function alertTable(which) {
    return new Table([
        {title: 'Opened', header: true, class: 'time', cell: alert => time(alert.opened_at)},
        ...(which === 'all' ? [{title: 'State', cell: alert => badge(alert.state, alert.state === 'open' ? 'bad' : 'neutral')}] : []),
        {title: 'Rule', class: 'view', cell: alert => el('a', {href: changed({rule: alert.rule, cursor: null})}, alert.rule)},
        {title: 'About', class: 'name', cell: subject},
        {title: 'Condition', class: 'wide', cell: alert => known(alert.condition)},
        {title: 'Description', class: 'name', cell: alert => alert.description ?? ''},
        {title: 'Points', class: 'number', cell: alert => number(alert.vantage_points)},
        ...(which === 'open' ? [] : [{title: 'Lasted', cell: lasted}]),
    ], {caption: 'Alerts', details, detailsName: alert => `${alert.rule} ${alert.prefix ?? alert.router}`, ...opened(alert => alert.alert_id)});
}

/** What the alert is about, linked to the part of the page that shows it. */
function subject(alert) {
    if (alert.prefix) {
        return el('span', {class: 'prefix'}, el('a', {href: to({q: alert.prefix})}, alert.prefix));
    }
    return el('span', {}, el('a', {href: to({view: 'peers', router: alert.router})}, alert.router),
        alert.peer_address ? [' ', el('span', {class: 'peer'}, alert.peer_address), el('span', {class: 'asn'}, `AS${alert.peer_asn}`)] : null,
        alert.rib_view ? [' ', el('span', {class: 'asn'}, `${viewName(alert.rib_view)} ${alert.family}`)] : null);
}

function lasted(alert) {
    return alert.closed_at ? duration((micros(alert.closed_at) - micros(alert.opened_at)) / 1e6) : badge('open', 'bad');
}

function details(alert) {
    const evidence = new Table([
        {title: 'Received', header: true, class: 'time', cell: row => time(row.received_at)},
        {title: 'Event', cell: row => known(row.event)},
        {title: 'Router', class: 'name', cell: row => el('a', {href: to({view: 'peers', router: row.router})}, row.router)},
        {title: 'Peer', class: 'address', cell: row => (row.peer_address ? el('span', {}, row.peer_address, el('span', {class: 'asn'}, `AS${row.peer_asn}`)) : '')},
        ...(alert.prefix ? [
            {title: 'View', cell: row => viewName(row.rib_view)},
            {title: 'Prefix', class: 'prefix', cell: row => el('a', {href: to({view: 'history', q: row.prefix, at: row.received_at})}, row.prefix)},
            {title: 'AS path', class: 'wide', cell: row => asPath(row.as_path)},
        ] : []),
    ], {caption: 'Evidence'});
    evidence.add(alert.evidence ?? []);
    return el('div', {},
        el('h2', {}, 'Evidence', el('span', {class: 'asn'}, count(alert.vantage_points ?? 0, 'vantage point'))), evidence.element,
        alert.prefix ? el('p', {}, el('a', {href: to({view: 'history', q: alert.prefix})}, 'History'), ' and ',
            el('a', {href: to({q: alert.prefix, at: alert.opened_at})}, 'routes when it opened')) : null,
        el('h2', {}, 'There would be no alert with'),
        el('ul', {}, (alert.suppressed_by ?? []).map(text => el('li', {}, text))),
        el('dl', {class: 'attributes facts'}, [
            ['Monitored prefix', alert.monitored_prefix], ['Group', alert.alert_group], ['Threshold', alert.threshold],
            ['Notified', alert.notified_at ? time(alert.notified_at) : null], ['Closed', alert.closed_at ? time(alert.closed_at) : null], ['ID', alert.alert_id],
        ].filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value)))));
}
