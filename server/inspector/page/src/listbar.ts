// The line above the list: how many requests are shown, the time zone, the columns.

import { byId, el, fill } from './dom';
import * as format from './format';

interface Listbar {
  shown: number;
  all: number;
  /** What the search says of itself. */
  remark: string;
  isFiltered: boolean;
  /** The job whose lines alone are shown, or "". */
  job: string;
}

interface Doing { zone: () => void; columns: () => void; allJobs: () => void; clear: () => void }

/** Makes the buttons, and returns a function that shows the counts. */
export function start(doing: Doing): (now: Listbar) => void {
  const counts = el('p', { class: 'counts' });
  const clear = el('button', { type: 'button', class: 'small', hidden: true, onclick: doing.clear }, 'Clear filters');
  const job = el('span', { class: 'of-job', hidden: true });
  const zone = el('select', {
    'aria-label': 'Time zone of all times', onchange: () => {
      format.setZone(zone.value as format.Zone);
      doing.zone();
    },
  }, el('option', { value: 'local' }, format.localZone() === 'UTC' ? 'Local time' : `Local time (${format.localZone()})`), el('option', { value: 'utc' }, 'UTC'));
  zone.value = format.currentZone();
  fill(byId('listbar'), counts, clear, job, el('div', { class: 'tools' }, zone,
    el('button', { type: 'button', class: 'small', id: 'columns', 'aria-haspopup': 'dialog', onclick: doing.columns }, 'Columns…')));
  return (now) => {
    byId('listbar').hidden = now.all === 0;
    const text = now.shown === now.all ? format.plural(now.all, 'request') : `${format.count(now.shown)} of ${format.plural(now.all, 'request')}`;
    const said = now.remark ? `${text}. ${now.remark}` : text;
    if (counts.textContent !== said) fill(counts, said);
    clear.hidden = !now.isFiltered || now.shown === 0; // An empty list has the button itself.
    job.hidden = now.job === '';
    if (now.job !== '') {
      fill(job, `Lines of job ${now.job} `, el('button', { type: 'button', class: 'small', onclick: doing.allJobs }, 'Show all requests'));
    }
  };
}
