// The choice of a model and an account for requests that are sent again.

import * as apiTalk from './api-talk';
import { el, fill } from './dom';

export interface Targets {
  element: HTMLElement;
  /** Returns what was chosen. Without a choice the request and the gateway decide. */
  changes: () => { model?: string; account?: string };
}

/** Makes the choice, and reads the lists for it. */
export function targets(): Targets {
  const models = el('datalist', { id: 'replay-models' });
  const model = el('input', {
    type: 'text', id: 'replay-model', list: 'replay-models', placeholder: 'as in the request',
    autocomplete: 'off', spellcheck: 'false',
  });
  const account = el('select', { id: 'replay-account' },
    el('option', { value: '' }, 'as the gateway chooses'));
  const wrong = el('p', { class: 'said lost', hidden: true });
  apiTalk.choices().then((choices) => {
    fill(models, ...(choices.models ?? []).map((name) => el('option', { value: name })));
    const names = choices.accounts ?? [];
    account.append(...names.map((name) => el('option', { value: name }, name)));
  }, (error: Error) => {
    fill(wrong, `The lists of models and accounts are not available: ${error.message}`);
    wrong.hidden = false;
  });
  const element = el('div', { class: 'targets' },
    el('label', { for: 'replay-model' }, 'Model'), model, models,
    el('label', { for: 'replay-account' }, 'Account'), account, wrong);
  const changes = (): { model?: string; account?: string } => ({
    ...(model.value.trim() ? { model: model.value.trim() } : {}),
    ...(account.value ? { account: account.value } : {}),
  });
  return { element, changes };
}
