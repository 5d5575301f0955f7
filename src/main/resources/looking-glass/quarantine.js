// Messages that could not be decoded, with their bytes.

import {rows} from './api.js';
import {dissect, bytesOf, dump} from './dissect.js';
import {badge, el, known} from './dom.js';
import {count, number, time} from './format.js';
import {changed, opened, to} from './location.js';
import {Table} from './table.js';

const PAGE_SIZE = 100;
const STATES = ['open', 'redecoded', 'all'];

export async function render(state, page) {
    const which = STATES.includes(state.state) ? state.state : 'open';
    const entries = [];
    let next = null;
    for await (const some of rows('quarantine', {state: which, router: state.router, at: state.at, cursor: state.cursor, limit: PAGE_SIZE}, page.signal,
        cursor => { next = cursor; })) {
        entries.push(...some);
    }
    const table = new Table([
        {title: 'Received', header: true, class: 'time', cell: entry => time(entry.received_at)},
        {title: 'Router', class: 'name', cell: entry => known(entry.router)},
        {title: 'Peer', class: 'address', cell: entry => known(entry.peer_address)},
        {title: 'Message', cell: entry => known(entry.message_type)},
        {title: 'Reason', class: 'wide', cell: entry => known(entry.reason)},
        {title: 'RFC', cell: entry => known(entry.rfc_section)},
        {title: 'At byte', class: 'number', cell: entry => number(entry.byte_offset)},
        {title: 'State', cell: entry => badge(entry.state, entry.state === 'open' ? 'bad' : 'good')},
    ], {
        caption: 'Quarantined messages',
        details,
        detailsName: entry => `message ${entry.id}`,
        ...opened(entry => String(entry.id)),
    });
    const summary = entries.length === 0
        ? which === 'open' ? 'Everything that arrived could be decoded.' : 'No message.'
        : next !== null && !state.cursor ? `The newest ${PAGE_SIZE} messages` : count(entries.length, 'message');
    page.show('Quarantine', el('p', {class: 'summary'}, summary),
        el('nav', {class: 'tools', 'aria-label': 'State'}, STATES.map(name =>
            el('a', {href: changed({state: name === 'open' ? null : name, cursor: null, entry: null}), 'aria-current': name === which ? 'true' : null}, name)),
        state.router ? el('a', {href: to({view: 'quarantine'})}, 'all routers') : null),
        entries.length > 0 ? table.element : null,
        next === null ? null : el('p', {class: 'more'}, el('a', {href: changed({cursor: next, entry: null})}, 'Older messages')));
    table.add(entries);
    page.announce(summary);
}

function details(entry) {
    const bytes = bytesOf(entry.bytes ?? '');
    const fields = dissect(bytes, entry.byte_offset);
    const dumpElement = hexDump(bytes, entry.byte_offset);
    return el('div', {class: 'columns dissection'},
        el('section', {}, el('h2', {}, 'Fields'),
            fields.length === 0 ? el('p', {class: 'absent'}, 'The message is shorter than a header.') : fieldTable(fields, entry.byte_offset, dumpElement),
            el('dl', {class: 'attributes facts'}, [['Session', entry.session_id], ['Sequence', entry.sequence], ['Kafka record', entry.kafka_record]]
                .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, known(value)))))),
        el('section', {}, el('h2', {}, 'Bytes', el('span', {class: 'asn'},
            entry.length > bytes.length ? `the first ${bytes.length} of ${entry.length}` : `${bytes.length}`)), dumpElement));
}

function hexDump(bytes, fault) {
    return el('pre', {class: 'dump', tabindex: '0', 'aria-label': 'Hex dump'}, dump(bytes).map(line => [
        el('span', {class: 'offset'}, line.offset.toString(16).padStart(4, '0')), '  ',
        [...line.bytes].map((byte, i) => [el('span', {'data-byte': line.offset + i, class: line.offset + i === fault ? 'fault' : null},
            byte.toString(16).padStart(2, '0')), i === 7 ? '  ' : ' ']),
        '   '.repeat(16 - line.bytes.length), ' ',
        el('span', {class: 'ascii'}, [...line.bytes].map(byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')), '\n']));
}

function fieldTable(fields, fault, dumpElement) {
    return el('table', {class: 'fields', role: 'table'},
        el('caption', {class: 'hidden'}, 'Fields of the message'),
        el('thead', {role: 'rowgroup'}, el('tr', {role: 'row'}, ['Byte', 'Field', 'Value', 'RFC'].map(title => el('th', {role: 'columnheader', scope: 'col'}, title)))),
        el('tbody', {role: 'rowgroup'}, fields.map(field => el('tr', {
            role: 'row',
            class: fault >= field.offset && fault < field.offset + field.length ? 'fault' : null,
            onmouseenter: () => mark(dumpElement, field), onmouseleave: () => mark(dumpElement, null),
        },
        el('td', {role: 'cell', class: 'number'}, field.offset), el('th', {role: 'rowheader', scope: 'row'}, field.name),
        el('td', {role: 'cell', class: 'field'}, field.value), el('td', {role: 'cell', class: 'rfc'}, field.section)))));
}

/** Highlights a field's bytes. */
function mark(element, field) {
    for (const span of element.querySelectorAll('[data-byte]')) {
        const byte = Number(span.dataset.byte);
        span.classList.toggle('marked', field !== null && byte >= field.offset && byte < field.offset + field.length);
    }
}
