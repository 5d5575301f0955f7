// What changed between two moments.

import {rows} from './api.js';
import {asPath, difference, title} from './attributes.js';
import {badge, el} from './dom.js';
import {count, moment, timeText, viewName} from './format.js';
import {changed, go} from './location.js';
import {destination, peer as peerName} from './routes.js';
import {Table} from './table.js';

const MAX_CHANGES = 2000;
const KINDS = {added: 'good', removed: 'bad'};

export async function render(state, page) {
    const form = moments(state);
    if (!state.from) {
        page.show('What changed', form, el('p', {class: 'summary'}, 'Choose two moments to see every route that differs between them.'));
        return;
    }
    const until = state.to ?? state.at ?? new Date().toISOString();
    const table = changeTable();
    const summary = el('p', {class: 'summary'}, 'Comparing…');
    page.show('What changed', form, summary, table.element);
    let found = 0;
    let next = null;
    for await (const some of rows('rib/diff', {from: state.from, to: until, router: state.router, change: state.change, limit: MAX_CHANGES}, page.signal,
        cursor => { next = cursor; })) {
        found += some.length;
        table.add(some);
        summary.textContent = `${count(found, 'change')}…`;
    }
    summary.textContent = `${found === 0 ? 'Nothing changed' : `${next === null ? '' : 'The first '}${count(found, 'change')}`} between ${timeText(state.from)} and ${timeText(until)} UTC`;
    table.element.hidden = found === 0;
    page.announce(summary.textContent);
}

/** Times are relative to the moment of the page, which is the second one by default. */
function moments(state) {
    const input = (id, value) => el('input', {id, class: 'moment', autocomplete: 'off', spellcheck: 'false', maxlength: 40,
        placeholder: id === 'from' ? '-1h' : state.at ? timeText(state.at) : 'now',
        value: value ? timeText(value) : '', oninput: event => event.target.setCustomValidity('')});
    const from = input('from', state.from);
    const to = input('to', state.to);
    return el('form', {class: 'moments', onsubmit: event => {
        event.preventDefault();
        const chosen = Number.isNaN(Date.parse(state.at)) ? new Date() : new Date(state.at);
        const times = [from, to].map(field => moment(field.value || (field === from ? field.placeholder : ''), chosen));
        [from, to].forEach((field, i) => field.setCustomValidity(times[i] === null ? 'Not a time. Examples: 2026-11-25 14:30, 14:30, -2h' : ''));
        if (event.target.reportValidity()) {
            go(changed({from: times[0], to: times[1]}));
        }
    }}, el('label', {for: 'from'}, 'From (UTC)'), from, el('label', {for: 'to'}, 'to'), to, el('button', {type: 'submit'}, 'Compare'));
}

function changeTable() {
    return new Table([
        {title: 'Change', header: true, cell: row => badge(row.change, KINDS[row.change] ?? 'neutral')},
        {title: 'Prefix', class: 'prefix', cell: destination},
        {title: 'Router', class: 'name', cell: row => row.router},
        {title: 'Peer', class: 'address', cell: peerName},
        {title: 'View', cell: row => viewName(row.rib_view)},
        {title: 'What changed', class: 'wide', cell: whatChanged},
    ], {caption: 'Changes'});
}

function whatChanged(row) {
    const names = row.changed ?? [];
    if (names.length === 0) {
        return asPath(row.new_as_path ?? row.old_as_path);
    }
    return el('dl', {class: 'inline'}, names.map(name => el('div', {}, el('dt', {}, title(name)),
        el('dd', {}, difference(name, part(row, 'old', name), part(row, 'new', name))))));
}

/** Attributes without a column of their own are in the object of all attributes. */
function part(row, side, name) {
    return row[`${side}_${name}`] ?? row[`${side}_attributes`]?.[name];
}
