// The dialog that sends a request again: with another model, account, header or body.

import * as apiTalk from './api-talk';
import { BodyCheck, indented } from './bodycheck';
import { el } from './dom';
import { HeaderEditor } from './headeredit';
import * as links from './links';
import { modal } from './modal';
import { notify } from './notice';
import { isFakeServer } from './panes';
import * as route from './route';
import { targets } from './targets';
import type { Detail } from './types';
import type { Changes } from './types-talk';

const free = 'Sends this through the gateway. The built-in fake server answers, so it costs nothing.';
const billed = 'Sends this through the gateway with the gateway’s keys. It uses quota and is billed.';

/** Opens the dialog for an exchange. The function shows the new exchange. */
export function open(d: Detail, show: (number: number) => void): void {
  const { number, method, path } = d.summary;
  const original = indented(d.client.request?.body ?? '');
  const body = el('textarea', {
    'aria-label': 'Body of the request', 'aria-describedby': 'replay-check', spellcheck: 'false',
    rows: 16,
  });
  body.value = original;
  const target = targets();
  const header = new HeaderEditor(d.client.request?.header ?? []);
  const check = new BodyCheck(body);

  const changes = (): Changes => {
    const fields = header.changes();
    return {
      ...target.changes(),
      ...(body.value === original ? {} : { body: body.value }),
      ...(Object.keys(fields).length > 0 ? { header: fields } : {}),
    };
  };
  const run = async (after: (made: number) => void): Promise<void> => {
    if (!check.run()) return check.go();
    both.disabled = send.disabled = true;
    send.textContent = 'Sending…';
    try {
      const made = await apiTalk.replay(number, changes());
      close();
      if (made && made.number > 0) after(made.number);
      notify(made && made.number > 0 ? `Sent as request #${made.number}.` : 'Sent.');
    } catch (error) {
      check.fail((error as Error).message);
    }
    both.disabled = send.disabled = false;
    send.textContent = 'Send';
  };

  const send: HTMLButtonElement = el('button', {
    type: 'button', class: 'primary', onclick: () => void run(show),
  }, 'Send');
  const both: HTMLButtonElement = el('button', {
    type: 'button', onclick: () => void run((made) => route.go(links.comparison(number, made))),
  }, 'Replay and compare');
  const address = `${method} ${d.client.request?.url ?? path}`;
  const { close } = modal('Replay', () => Object.keys(changes()).length > 0,
    el('p', { class: 'quiet' }, `${address}. ${isFakeServer(d) ? free : billed}`), target.element, header.element, body,
    check.element, el('footer', {}, both, send));
  check.run();
  body.focus();
  body.setSelectionRange(0, 0);
  body.scrollTop = 0;
}
