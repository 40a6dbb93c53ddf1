// Which exchanges are shown.

import { byId, el, fill } from './dom';
import type { Summary } from './types';

export interface Filter { text: string; status: string; model: string; losses: boolean }

const text = byId<HTMLInputElement>('filter-text');
const status = byId<HTMLSelectElement>('filter-status');
const model = byId<HTMLSelectElement>('filter-model');
const losses = byId<HTMLInputElement>('filter-losses');

export const current = (): Filter => ({
  text: text.value.trim().toLowerCase(), status: status.value, model: model.value, losses: losses.checked,
});

export function isEmpty(f: Filter): boolean {
  return f.text === '' && f.status === '' && f.model === '' && !f.losses;
}

export function clear(): void {
  text.value = '';
  status.value = '';
  model.value = '';
  losses.checked = false;
}

export function onChange(changed: () => void): void {
  for (const input of [text, status, model, losses]) input.addEventListener('input', changed);
}

export const focus = (): void => text.select();

/** Reports whether an exchange is shown. All words of the text must be in what is known of it. */
export function matches(f: Filter, s: Summary): boolean {
  if (f.losses && s.lost === 0) return false;
  if (f.model !== '' && s.model !== f.model && s.upstreamModel !== f.model && s.askedModel !== f.model) return false;
  if (f.status === 'running' ? !s.running : f.status !== '' && (s.running || String(s.status)[0] !== f.status)) return false;
  if (f.text === '') return true;
  const known = [
    s.id, s.client, s.model, s.upstreamModel, s.askedModel, s.path, s.form, s.userAgent, String(s.status), s.finishReason,
    s.error?.type, s.error?.code, s.error?.message,
  ].join('\n').toLowerCase();
  return f.text.split(/\s+/).every((word) => known.includes(word));
}

let known = '';

/** Offers the models of the exchanges. */
export function offerModels(exchanges: Iterable<Summary>): void {
  const models = new Set<string>();
  for (const s of exchanges) {
    if (s.model) models.add(s.model);
    if (s.upstreamModel) models.add(s.upstreamModel);
  }
  if (model.value) models.add(model.value);
  const names = [...models].sort();
  if (names.join('\n') === known) return;
  known = names.join('\n');
  const chosen = model.value;
  fill(model, el('option', { value: '' }, 'Any model'), ...names.map((name) => el('option', { value: name }, name)));
  model.value = chosen;
}
