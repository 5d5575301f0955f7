// Builds elements. Text becomes text nodes and never markup, because names that routers send are hostile input.

/**
 * Creates an HTML element.
 *
 * @param {string} tag
 * @param {object} attributes functions are listeners (`onclick`), `false`, `null` and `undefined` are omitted
 * @param {...*} children nodes, texts, numbers, or arrays of them; `null` and `undefined` are omitted
 */
export function el(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

/** Like `el`, for elements of SVG. */
export function svg(tag, attributes = {}, ...children) {
    return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === 'function') {
            element.addEventListener(name.slice(2), value);
        } else if (value === true) {
            element.setAttribute(name, '');
        } else if (value !== false && value !== null && value !== undefined) {
            element.setAttribute(name, value);
        }
    }
    append(element, children);
    return element;
}

function append(element, children) {
    for (const child of children) {
        if (Array.isArray(child)) {
            append(element, child);
        } else if (child !== null && child !== undefined) {
            element.append(child);
        }
    }
}

/** A value that the station does not have, as opposed to one that is empty. */
export function unknown() {
    return el('span', {class: 'unknown'}, 'unknown');
}

/** The value, or "unknown" where it is missing. */
export function known(value) {
    return value === null || value === undefined || value === '' ? unknown() : value;
}

/** The value of an attribute, or a dash where the route does not have the attribute. */
export function present(value) {
    return value === null || value === undefined
        ? el('span', {class: 'absent'}, el('span', {'aria-hidden': 'true'}, '–'), el('span', {class: 'hidden'}, 'none'))
        : value;
}

export function badge(text, kind) {
    return el('span', {class: `badge ${kind}`}, text);
}

/** A note in views that show the present whatever moment is chosen. */
export function onlyNow(state) {
    return state.at ? el('p', {class: 'notice'}, 'This view shows the present, not the chosen moment.') : null;
}
