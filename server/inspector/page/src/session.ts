// Exporting and importing the requests of the inspector.

import * as apiTalk from './api-talk';
import { el } from './dom';
import * as format from './format';
import * as known from './known';
import { notify } from './notice';

/** Makes the buttons for the menu. The function is called when a session was imported. */
export function buttons(imported: () => void): HTMLElement[] {
  const file: HTMLInputElement = el('input', {
    type: 'file', accept: '.json,application/json', hidden: true, onchange: () => void read(),
  });
  const read = async (): Promise<void> => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    try {
      await load(chosen);
      imported();
    } catch (error) {
      notify((error as Error).message, true);
    }
    file.value = '';
  };
  return [
    link('Export session'), ...shownOnly(),
    el('button', { type: 'button', onclick: () => file.click() }, 'Import session…'), file,
  ];
}

/** Makes a link that downloads all requests, or those with the numbers. */
export function link(label: string, numbers?: number[]): HTMLElement {
  return el('a', { class: 'button', href: address(numbers), download: 'gemwire-session.json' }, label);
}

export const address = (numbers?: number[]): string => (numbers ? `/api/session?numbers=${numbers.join(',')}` : '/api/session');

/** Makes the button for the requests that the filter lets through, if it hides any. */
function shownOnly(): HTMLElement[] {
  const shown = known.filtered().map((s) => s.number);
  if (shown.length === 0 || shown.length === known.count()) return [];
  return [link(`Export the ${format.plural(shown.length, 'shown request')}`, shown.reverse())];
}

async function load(file: File): Promise<void> {
  const { length } = await apiTalk.importSession(file);
  notify(`Imported ${format.plural(length, 'request')}.`);
}
