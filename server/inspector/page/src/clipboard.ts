import { notify } from './notice';

/** Copies a text and says so. */
export async function copy(text: string | Promise<string>, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(await text);
    notify(`${what} copied.`);
  } catch (error) {
    notify(error instanceof Error ? error.message : 'This browser does not let a page copy.', true);
  }
}
