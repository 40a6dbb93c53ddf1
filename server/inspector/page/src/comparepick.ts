// The dialog in which one chooses the request to compare with.

import { modelsOf } from './columns';
import { el } from './dom';
import * as format from './format';
import * as known from './known';
import * as links from './links';
import { modal } from './modal';
import { statusBadge } from './status';
import { table, text } from './tables';
import type { Summary } from './types';

/** The dialog offers no more requests than this. */
const most = 100;

const columns = [
  text('Request'), text('Time'), text('Client'), text('Model'), text('Status'), text('Prompt'),
];

/** Opens the dialog for an exchange. Its replays and its original come first. */
export function open(s: Summary): void {
  const others = known.filtered().filter((o) => o.number !== s.number && !o.running);
  const isRelated = (o: Summary): boolean => o.replayOf === s.number || s.replayOf === o.number;
  const sorted = [...others.filter(isRelated), ...others.filter((o) => !isRelated(o))];
  const rows = sorted.slice(0, most).map((o) => [
    el('a', { href: links.comparison(s.number, o.number), onclick: () => close() },
      `#${o.number}${isRelated(o) ? ' (replay)' : ''}`),
    format.time(o.at), o.client || '–', modelsOf(o).at(-1) ?? '–', statusBadge(o), o.preview || '–',
  ]);
  const none = el('p', { class: 'state' }, 'The filter finds no other request.');
  const { close } = modal(`Compare #${s.number} with`, () => false,
    rows.length > 0 ? table('Requests to compare with', columns, rows) : none);
}
