// Keys that work everywhere on the page.

/** What keys do. A key may have a function, and digits choose a part. */
export interface Keys { [key: string]: () => void }

export function listen(keys: Keys, choose: (part: number) => void): void {
  document.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (target.matches('input:not([type=checkbox]), select, textarea')) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    // Arrows scroll what has the focus. Without a focus they move in the list.
    if (event.key.startsWith('Arrow') && target !== document.body) return;
    const run = keys[event.key] ?? (/^[1-9]$/.test(event.key) ? () => choose(Number(event.key) - 1) : undefined);
    if (!run) return;
    event.preventDefault();
    run();
  });
}
