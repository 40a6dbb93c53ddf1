// Exporting and importing the requests of the inspector.

import * as apiTalk from './api-talk';
import { el } from './dom';
import * as format from './format';
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
  const download = { class: 'button', href: '/api/session', download: 'gemwire-session.json' };
  return [
    el('a', download, 'Export session'),
    el('button', { type: 'button', onclick: () => file.click() }, 'Import session…'), file,
  ];
}

async function load(file: File): Promise<void> {
  const { length } = await apiTalk.importSession(file);
  notify(`Imported ${format.plural(length, 'request')}.`);
}
