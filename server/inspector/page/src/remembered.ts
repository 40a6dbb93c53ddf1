// What the browser remembers of a person's choices. A browser may refuse to store anything.

/** Returns a choice, or undefined. */
export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(`gemwire.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a choice; undefined forgets it. */
export function remember(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`gemwire.${name}`);
    else localStorage.setItem(`gemwire.${name}`, value);
  } catch {
    // The choice lasts until the page is left.
  }
}
