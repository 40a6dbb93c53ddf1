// Checks the body of a request while it is edited.

import { el, fill } from './dom';
import * as format from './format';
import { wrongPlace } from './jsonplace';

const leftOut = '[gemwire left out ';

/** Says whether the text of an editor is JSON, and where it is not. */
export class BodyCheck {
  private readonly text = el('span', {});
  private readonly show = el('button', {
    type: 'button', class: 'link', hidden: true, onclick: () => this.go(),
  }, 'Show the place');
  readonly element = el('p', { class: 'said', id: 'replay-check', role: 'status' },
    this.text, ' ', this.show);
  private at: number | undefined;

  constructor(private readonly body: HTMLTextAreaElement) {
    body.addEventListener('input', () => this.run());
  }

  /** Reports whether the body can be sent. */
  run(): boolean {
    const { value } = this.body;
    const missing = value.indexOf(leftOut);
    if (missing >= 0) {
      this.fail('Replace “[gemwire left out …]” with the full value before sending.', missing);
      return false;
    }
    try {
      JSON.parse(value);
    } catch (error) {
      const wrong = wrongPlace(value);
      const { message } = wrong ?? (error as Error);
      const where = wrong ? ` at line ${wrong.line}, column ${wrong.column}` : '';
      this.fail(`Not JSON${where}: ${message}.`, wrong?.at);
      return false;
    }
    this.at = undefined;
    this.say(`Valid JSON, ${format.bytes(new TextEncoder().encode(value).length)}.`, false);
    return true;
  }

  /** Says why the body was not sent. */
  fail(text: string, at?: number): void {
    this.at = at;
    this.say(text, true);
  }

  /** Puts the cursor where the body is wrong. */
  go(): void {
    this.body.focus();
    if (this.at === undefined) return;
    this.body.setSelectionRange(this.at, Math.min(this.at + 1, this.body.value.length));
    const line = this.body.value.slice(0, this.at).split('\n').length;
    this.body.scrollTop = (line - 4) * parseFloat(getComputedStyle(this.body).lineHeight);
  }

  private say(text: string, isWrong: boolean): void {
    fill(this.text, text);
    this.element.className = isWrong ? 'said lost' : 'said';
    this.show.hidden = this.at === undefined;
  }
}

/** Lays out a body. One with numbers that JavaScript cannot hold is left as it is. */
export function indented(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return /\d{16}|\.\d{12}|\d[eE]/.test(body) ? body : JSON.stringify(value, undefined, 2);
  } catch {
    return body;
  }
}
