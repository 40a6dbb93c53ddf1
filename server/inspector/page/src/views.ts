// The views of the page, of which the address shows one.

import { byId, el, fill } from './dom';
import * as route from './route';

export interface View {
  /** The first part of its addresses, and the id of its element. */
  id: string;
  label: string;
  /** Shows the view, with what has an id in it. The id is "" for none. */
  show: (id: string) => void;
  hide?: () => void;
  /** Views that are not offered have no link. */
  isOffered: boolean;
}

const views: View[] = [];
let shown: View | undefined;

/** Adds a view. The first one is shown for an unknown address. */
export function add(view: View): void {
  views.push(view);
}

/** Offers a view, or stops to offer it. */
export function offer(id: string, isOffered: boolean): void {
  const view = views.find((v) => v.id === id);
  if (!view || view.isOffered === isOffered) return;
  view.isOffered = isOffered;
  links();
}

/** Shows the view of the address, now and whenever the address changes. */
export function start(): void {
  route.onChange(navigated);
  navigated();
}

function navigated(): void {
  const { view: name, id } = route.current();
  const view = views.find((v) => v.id === name) ?? views[0];
  if (shown && shown !== view) shown.hide?.();
  shown = view;
  for (const v of views) byId(v.id).hidden = v !== view;
  byId('filters').hidden = view !== views[0];
  links();
  view.show(id);
}

function links(): void {
  const offered = views.filter((v) => v.isOffered);
  const had = byId('views').contains(document.activeElement) ? document.activeElement?.id : undefined;
  byId('views').hidden = offered.length < 2;
  fill(byId('views'), ...offered.flatMap((v) => [' ', el('a', {
    href: v === views[0] ? '/' : `/${v.id}`, id: `view-${v.id}`, 'aria-current': v === shown ? 'page' : null,
  }, v.label)]));
  if (had) document.getElementById(had)?.focus();
}
