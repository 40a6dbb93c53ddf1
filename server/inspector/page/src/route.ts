// Addresses of the page: /, /requests/ID, /jobs/ID and others, with the filter and the tab in the query.

/** A view of the page and the open item in it. */
export interface Route {
  view: string;
  /** The id of the open item, or "" for a list. */
  id: string;
  query: URLSearchParams;
}

/** Parts of a query that belong to the open item. The rest is the filter of the list. */
const ofOne = ['tab', 'token'];

const listeners: (() => void)[] = [];

/** Returns the route of the current address. */
export function current(): Route {
  const [view = '', ...rest] = location.pathname.split('/').slice(1);
  return { view: view || 'requests', id: rest.map(decode).join('/'), query: new URLSearchParams(location.search) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the address of a view, or of what has an id in it, with the filter of the list. */
export function path(view: string, id = '', query: Record<string, string> = {}): string {
  const base = view === 'requests' && id === '' ? '/' : `/${view}${id === '' ? '' : `/${encodeURIComponent(id)}`}`;
  const kept = new URLSearchParams();
  if (view === 'requests') {
    for (const [name, value] of current().query) if (!ofOne.includes(name)) kept.append(name, value);
  }
  for (const [name, value] of Object.entries(query)) {
    if (value === '') kept.delete(name);
    else kept.set(name, value);
  }
  return base + (kept.size > 0 ? `?${kept}` : '');
}

/** Goes to an address of the page. */
export function go(address: string): void {
  if (address !== location.pathname + location.search) history.pushState(null, '', address);
  notify();
}

/** Changes the address without a step in the history. */
export function replace(address: string): void {
  history.replaceState(null, '', address);
}

/** Sets or removes values of the query, without a step in the history. */
export function setQuery(values: Record<string, string>): void {
  const { query } = current();
  for (const [name, value] of Object.entries(values)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  replace(location.pathname + (query.size > 0 ? `?${query}` : ''));
}

/** Calls a function when the address changes. */
export function onChange(changed: () => void): void {
  listeners.push(changed);
}

function notify(): void {
  for (const changed of listeners) changed();
}

/** Replaces addresses of earlier versions, and removes the used token. */
function modernize(): void {
  const [view, id = ''] = decode(location.hash.slice(1)).split('/');
  const query = new URLSearchParams(location.search);
  query.delete('token');
  const search = query.size > 0 ? `?${query}` : '';
  if (/^\d+$/.test(view)) replace(`/requests/${view}${search}`);
  else if (view === 'jobs') replace(`/jobs${id === '' ? '' : `/${encodeURIComponent(id)}`}`);
  else if (query.size !== new URLSearchParams(location.search).size) replace(location.pathname + search);
}

/** Follows links of the page, and the steps back and forward of the browser. */
export function start(): void {
  modernize();
  addEventListener('popstate', notify);
  addEventListener('hashchange', () => {
    modernize();
    notify();
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a[href^="/"]');
    if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download') || link.target) return;
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.pathname.startsWith('/api/')) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
