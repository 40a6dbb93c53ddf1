// A dialog that asks before it discards what a person wrote in it.

import { el, fill } from './dom';

export interface Modal {
  dialog: HTMLDialogElement;
  close: () => void;
}

/** Opens a dialog. While isEdited reports true, closing it asks first. */
export function modal(title: string, isEdited: () => boolean, ...children: Node[]): Modal {
  const question = el('div', {
    class: 'discard', role: 'alertdialog', 'aria-label': 'Discard your edits?', hidden: true,
  });
  const close = (): void => dialog.close();
  const ask = (): void => {
    if (!isEdited()) return close();
    const had = document.activeElement;
    const keep = el('button', {
      type: 'button', onclick: () => {
        question.hidden = true;
        if (had instanceof HTMLElement) had.focus();
      },
    }, 'Keep editing');
    fill(question, el('span', {}, 'Discard your edits?'),
      el('button', { type: 'button', onclick: close }, 'Discard'), keep);
    question.hidden = false;
    keep.focus();
  };
  const leave = el('button', { type: 'button', class: 'small', onclick: ask }, 'Close');
  const dialog: HTMLDialogElement = el('dialog', {
    'aria-label': title, class: 'wide', onclose: () => dialog.remove(),
  }, el('header', {}, el('h2', {}, title), leave), ...children, question);
  // Browsers close a dialog at the second Escape even if a page prevented the first. The key
  // itself can be prevented every time.
  dialog.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (question.hidden) ask();
    else question.querySelector<HTMLElement>('button:last-child')?.click();
  });
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, close };
}
