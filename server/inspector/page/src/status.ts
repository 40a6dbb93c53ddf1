// The status of an exchange as a badge.

import { el } from './dom';
import { isBlocked } from './rows';
import { short } from './text';
import type { Summary } from './types';

export function statusBadge(s: Summary): HTMLElement {
  if (s.running) return el('span', { class: 'badge running' }, 'running');
  if (s.canceled) return el('span', { class: 'badge warn', title: 'The client disconnected' }, 'client disconnected');
  const message = s.error?.message;
  const title = message ? short(message, 300) : null;
  if (s.status >= 500) return el('span', { class: 'badge bad', title }, s.status);
  if (s.status >= 400) return el('span', { class: 'badge warn', title }, s.status);
  if (message) return el('span', { class: 'badge bad', title }, `${s.status} · stream failed`);
  if (isBlocked(s)) {
    return el('span', { class: 'badge warn', title: 'A content filter withheld the answer, or a part of it' }, `${s.status} · content filter`);
  }
  return el('span', { class: 'badge good' }, s.status);
}
