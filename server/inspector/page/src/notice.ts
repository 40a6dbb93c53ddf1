import { el, say } from './dom';

let shown: HTMLElement | undefined;

/** Says something at the edge of the page for a while. */
export function notify(text: string, isError = false): void {
  shown?.remove();
  const notice = el('div', { class: isError ? 'notice bad' : 'notice' }, text);
  shown = notice;
  document.body.append(notice);
  say(text);
  setTimeout(() => notice.remove(), isError ? 8000 : 2500);
}
