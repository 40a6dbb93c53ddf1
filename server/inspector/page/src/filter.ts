// Which exchanges are shown, by the controls above the list. The address has the same.

import { byId, el, fill } from './dom';
import * as route from './route';
import { isFailed } from './rows';
import { SearchBox } from './searchbox';
import { short } from './text';
import type { Match, Summary } from './types';

const status = byId<HTMLSelectElement>('filter-status');
const model = byId<HTMLSelectElement>('filter-model');
const since = byId<HTMLSelectElement>('filter-since');
const losses = byId<HTMLInputElement>('filter-losses');
const box = new SearchBox(() => changed(true));

let job = '';
let report: () => void = () => {};

/** Calls a function when the filter changes, and takes the filter of the address. */
export function start(onChange: () => void): void {
  report = onChange;
  for (const input of [status, model, since, losses]) input.addEventListener('input', () => changed(true));
  read();
}

/** Takes the filter of the address. */
export function read(): void {
  const { query } = route.current();
  const value = (name: string): string => query.get(name) ?? '';
  status.value = value('status');
  since.value = value('since');
  losses.checked = value('lossy') === '1';
  job = value('job');
  setModel(value('model'));
  box.set(value('q'));
}

function changed(write: boolean): void {
  if (write && route.current().view === 'requests') {
    route.setQuery({
      q: box.text, status: status.value, model: model.value, since: since.value, lossy: losses.checked ? '1' : '', job,
    });
  }
  report();
}

export const isEmpty = (): boolean => box.text === '' && status.value === '' && model.value === '' && since.value === '' && !losses.checked && job === '';

/** Returns the job whose lines alone are shown, or "". */
export const ofJob = (): string => job;

export function clear(): void {
  box.set('');
  status.value = '';
  model.value = '';
  since.value = '';
  losses.checked = false;
  job = '';
  changed(true);
}

/** Shows only the lines of a job, or with "" all exchanges. */
export function showJob(id: string): void {
  job = id;
  changed(true);
}

export const focus = (): void => box.focus();

/** Searches again, as exchanges have changed. */
export const refresh = (): void => box.refresh();

/** Returns where the search matched, by the number of the exchange. */
export const matches = (): Record<string, Match[]> => box.matches;

/** Returns what the search says of itself, such as the number of its matches. */
export const remark = (): string => box.remark;

/** Returns the exchanges that are shown, in their order. */
export function apply(exchanges: Summary[]): Summary[] {
  const after = since.value === '' ? 0 : Date.now() - Number(since.value) * 60_000;
  return exchanges.filter((s) => {
    if (losses.checked && s.lost === 0) return false;
    if (job !== '' && s.job !== job) return false;
    if (model.value !== '' && s.model !== model.value && s.upstreamModel !== model.value && s.askedModel !== model.value) return false;
    if (after > 0 && Date.parse(s.at) < after) return false;
    return hasStatus(s, status.value) && box.has(s);
  });
}

function hasStatus(s: Summary, wanted: string): boolean {
  switch (wanted) {
    case '': return true;
    case 'running': return s.running;
    case 'failed': return isFailed(s);
    case 'pinned': return s.pinned === true;
    default: return !s.running && String(s.status)[0] === wanted;
  }
}

let offered = '';

/** Offers the models of the exchanges. */
export function offerModels(exchanges: Iterable<Summary>): void {
  const models = new Set<string>();
  for (const s of exchanges) {
    if (s.model) models.add(s.model);
    if (s.upstreamModel) models.add(s.upstreamModel);
  }
  if (model.value) models.add(model.value);
  const names = [...models].sort();
  if (names.join('\n') === offered) return;
  offered = names.join('\n');
  const chosen = model.value;
  fill(model, el('option', { value: '' }, 'All models'), ...names.map((name) => el('option', { value: name }, short(name, 60))));
  model.value = chosen;
}

function setModel(name: string): void {
  if (![...model.options].some((option) => option.value === name)) model.append(el('option', { value: name }, short(name, 60)));
  model.value = name;
}
