// Says that the folder cannot be written, so that new requests would not survive a restart.

import { byId, el, fill } from './dom';
import { notify } from './notice';
import { short } from './text';
import type { News } from './types';

let said = '';

/** Shows the error of the folder next to the state of the connection, and says it once. */
export function check(news: News): void {
  const error = news.storeError ?? '';
  if (error === said) return;
  said = error;
  const sign = byId('storage');
  sign.hidden = error === '';
  if (error === '') return;
  const text = `New requests are not kept on disk: ${short(error, 300)}`;
  fill(sign, el('span', { class: 'badge bad', title: text }, 'Not kept on disk'));
  notify(text, true);
}
