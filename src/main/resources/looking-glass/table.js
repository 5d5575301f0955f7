// Tables whose rows arrive in parts. Below a width they become lists of cards (style.css), so that roles are explicit:
// a table displayed as blocks would lose them.

import {el} from './dom.js';

const ROWS_PER_FRAME = 100;
const MAX_ROWS = 2000;

/**
 * A table.
 *
 * columns: `{title, cell(row) → node or text, class, header}`; the cell of the column with `header` is the header of
 * the row.
 * options: `caption` for screen readers; `group(row)` → a text, with `groupHeader(row)` → nodes of a row above each
 * group; `details(row)` → an element that a button in the first cell shows below the row, with `isOpen(row)` → whether
 * it is shown from the beginning, and `onToggle(row, isOpen)`; `rowClass(row)`.
 */
export class Table {
    constructor(columns, options) {
        this.columns = columns;
        this.options = options;
        this.pending = [];
        this.toOpen = [];
        this.size = 0;
        this.lastGroup = null;
        this.body = el('tbody', {role: 'rowgroup'});
        this.more = el('p', {class: 'more', hidden: true});
        this.element = el('div', {class: 'table'},
            el('table', {role: 'table'},
                el('caption', {class: 'hidden'}, options.caption),
                el('thead', {role: 'rowgroup'}, el('tr', {role: 'row'},
                    columns.map(column => el('th', {role: 'columnheader', scope: 'col', class: column.class}, column.title)))),
                this.body),
            this.more);
    }

    /** Adds rows; they appear in the next frames. */
    add(rows) {
        const wasEmpty = this.pending.length === 0;
        for (const row of rows) {
            this.pending.push(row);
        }
        if (wasEmpty && rows.length > 0) {
            this.render();
        }
    }

    render() {
        const room = Math.max(0, MAX_ROWS - this.size);
        const rows = this.pending.splice(0, Math.min(ROWS_PER_FRAME, room));
        const fragment = document.createDocumentFragment();
        rows.forEach(row => fragment.append(...this.row(row)));
        this.body.append(fragment);
        if (this.size === 0) {
            requestAnimationFrame(() => performance.mark('first-rows'));
        }
        this.toOpen.splice(0).forEach(button => button.click());
        this.size += rows.length;
        if (this.size >= MAX_ROWS) {
            this.more.hidden = false;
            this.more.textContent = `The first ${MAX_ROWS} rows are shown. Narrow the search to see others.`;
            this.pending = [];
        }
        if (this.pending.length > 0) {
            requestAnimationFrame(() => this.render());
        }
    }

    row(row) {
        const result = [];
        if (this.options.group) {
            const group = this.options.group(row);
            if (group !== this.lastGroup) {
                this.lastGroup = group;
                result.push(el('tr', {role: 'row', class: 'group'},
                    el('th', {role: 'rowheader', scope: 'rowgroup', colspan: this.columns.length}, this.options.groupHeader(row))));
            }
        }
        const cells = this.columns.map(column =>
            el(column.header ? 'th' : 'td', {
                role: column.header ? 'rowheader' : 'cell',
                scope: column.header ? 'row' : null,
                class: column.class,
                'data-title': column.title,
            }, el('span', {class: 'value'}, column.cell(row))));
        const line = el('tr', {role: 'row', class: this.options.rowClass?.(row)}, cells);
        result.push(line);
        if (this.options.details) {
            this.addDetails(row, line, cells[0]);
        }
        return result;
    }

    addDetails(row, line, cell) {
        const name = this.options.detailsName?.(row) ?? '';
        let shown = null;
        const button = el('button', {type: 'button', class: 'disclose', 'aria-expanded': 'false', 'aria-label': `Details ${name}`.trim(),
            onclick: () => {
                if (shown) {
                    shown.remove();
                    shown = null;
                } else {
                    shown = el('tr', {role: 'row', class: 'details'},
                        el('td', {role: 'cell', colspan: this.columns.length}, this.options.details(row)));
                    line.after(shown);
                }
                button.setAttribute('aria-expanded', String(shown !== null));
                this.options.onToggle?.(row, shown !== null);
            }});
        cell.prepend(button);
        if (this.options.isOpen?.(row)) {
            this.toOpen.push(button);
        }
        line.addEventListener('click', event => {
            if (!event.target.closest('a, button') && window.getSelection().isCollapsed) {
                button.click();
            }
        });
    }
}
