// The station's REST API. Paths are relative to the page, for a proxy that serves the station under another path.

/** A problem detail (RFC 9457), or a station that cannot be reached (status 0). */
export class Problem extends Error {
    constructor(status, title, detail) {
        super(detail || title);
        this.status = status;
        this.title = title;
    }
}

/** The parameter `fields` of answers about routes and events: all that they have by default, and the RPKI validity. */
export const WITH_VALIDITY = '*,rpki_validity';

/** Whether the user has dismissed the prompt for the token: it does not appear again before the page is reloaded. */
let declined = false;

/** Returns the decoded answer of a GET request. Parameters without a value are omitted. */
export async function get(path, parameters, signal) {
    const response = await request(path, parameters, 'application/json', signal);
    return response.json();
}

/**
 * Yields the rows of an answer in arrays, as they arrive: one page of newline-delimited JSON, or an array where the
 * station has no pages.
 *
 * @param {?function(string)} onNext receives the cursor of the next page if there is one
 */
export async function* rows(path, parameters, signal, onNext = null) {
    const response = await request(path, parameters, 'application/x-ndjson, application/json;q=0.9', signal);
    if (!(response.headers.get('content-type') ?? '').includes('ndjson')) {
        const body = await response.json();
        yield Array.isArray(body) ? body : body.data;
        return;
    }
    let rest = '';
    for await (const text of chunks(response)) {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        const found = lines.map(line => JSON.parse(line));
        // The last line is not a row.
        if (found.length > 0 && isNext(found.at(-1))) {
            onNext?.(found.pop().next);
        }
        if (found.length > 0) {
            yield found;
        }
    }
}

function isNext(line) {
    return Object.keys(line).length === 1 && line.next !== undefined;
}

/** Returns all rows of an answer that is known to be short. */
export async function all(path, parameters, signal) {
    const result = [];
    for await (const some of rows(path, parameters, signal)) {
        result.push(...some);
    }
    return result;
}

async function request(path, parameters, accept, signal) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters ?? {})) {
        if (value !== null && value !== undefined && value !== '') {
            query.append(name, value);
        }
    }
    const text = query.toString();
    const url = `api/v1/${path}${text === '' ? '' : `?${text}`}`;
    let response;
    try {
        response = await fetch(url, {headers: headers(accept), signal});
        if (response.status === 401 && askForToken()) {
            response = await fetch(url, {headers: headers(accept), signal});
        }
    } catch (error) {
        if (error.name === 'AbortError') {
            throw error;
        }
        throw new Problem(0, 'The station does not answer', 'The station does not answer. Is it running?');
    }
    if (!response.ok) {
        const body = await response.json().catch(() => ({}));
        throw new Problem(response.status, body.title ?? response.statusText, body.detail);
    }
    return response;
}

function headers(accept) {
    const token = sessionStorage.getItem('token');
    return token === null ? {accept} : {accept, authorization: `Bearer ${token}`};
}

/** Asks once for the token that a station off loopback requires; it is kept until the tab is closed. */
function askForToken() {
    if (declined) {
        return false;
    }
    const token = window.prompt('Token of this station (client/http-token in its data directory)');
    declined = token === null || token.trim() === '';
    if (!declined) {
        sessionStorage.setItem('token', token.trim());
    }
    return !declined;
}

async function* chunks(response) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
        const {done, value} = await reader.read();
        if (done) {
            return;
        }
        yield value;
    }
}
