// Texts of clients and models, with the characters that would deceive a reader written as escapes.

/** Characters that reorder text or have no shape. A terminal, an editor or a model may still act on them. */
const hidden = new RegExp([
  '[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]', // control characters
  '[\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]', // bidirectional controls
  '[\\u00AD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200D\\u2028\\u2029]',
  '[\\u2060-\\u2064\\u206A-\\u206F\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF9-\\uFFFB]',
  '[\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}]', // format of music, tags, variation selectors
  '\\p{Cs}', // half of a character
].join('|'), 'gu');

/** Joiners and selectors that shape the letter or the emoji next to them, and are no surprise there. */
const joined = [
  /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D\p{Extended_Pictographic}$/u,
  /^[\p{Extended_Pictographic}#*0-9]\uFE0F/u,
  /^\p{Extended_Pictographic}\uFE0E/u,
  // Scripts whose letters join, such as Arabic and Devanagari.
  /^[\p{sc=Arabic}\p{sc=Deva}\p{sc=Beng}\p{sc=Gujr}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}\p{M}][\u200C\u200D]/u,
];

export interface Piece {
  text: string;
  /** Whether the text stands for a hidden character. */
  isEscape: boolean;
}

/** Splits a text where characters are hidden. A text without one is a single piece. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    const at = match.index;
    const character = match[0];
    if (isExpected(text, at, character)) continue;
    if (at > from) found.push({ text: text.slice(from, at), isEscape: false });
    found.push({ text: escape(character), isEscape: true });
    from = at + character.length;
  }
  if (from < text.length || found.length === 0) found.push({ text: text.slice(from), isEscape: false });
  return found;
}

/** An escape of a JSON string, also of both halves of a character. */
const escapes = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^u]/g;

/** Splits a JSON string as it is written. Its own escapes of hidden characters are marked, too. */
export function piecesOfJSON(raw: string): Piece[] {
  if (!raw.includes('\\u')) return pieces(raw);
  const found: Piece[] = [];
  let from = 0;
  for (const match of raw.matchAll(escapes)) {
    if (match[0][1] !== 'u' || !isHidden(JSON.parse(`"${match[0]}"`) as string)) continue;
    if (match.index > from) found.push(...pieces(raw.slice(from, match.index)));
    found.push({ text: match[0], isEscape: true });
    from = match.index + match[0].length;
  }
  if (from < raw.length) found.push(...pieces(raw.slice(from)));
  return found;
}

/** Returns whether a character reorders text or has no shape. */
const isHidden = (character: string): boolean => character.search(hidden) === 0;

/** Returns a text for places that hold no elements, such as a tooltip. */
export const plain = (text: string): string => pieces(text).map((piece) => piece.text).join('');

/** Returns the name of an escape for people, such as "U+202E, reverses the order of what follows". */
export function meaning(escaped: string): string {
  const units = escaped.split(/\\u\{?|\}/).filter((unit) => unit !== '').map((unit) => parseInt(unit, 16));
  const code = units.length > 1 ? String.fromCharCode(...units).codePointAt(0)! : units[0];
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}, ${kind(code)}`;
}

function kind(code: number): string {
  if ([0x202b, 0x202e, 0x2067].includes(code)) return 'shows what follows from right to left';
  if (code === 0x61c || code === 0x200f || (code >= 0x200e && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) {
    return code >= 0x2028 && code <= 0x2029 ? 'a line break' : 'changes the order of characters';
  }
  if (code < 0xa0) return 'a control character';
  if (code >= 0xe0000 && code <= 0xe007f) return 'an invisible tag character';
  if (code >= 0xd800 && code <= 0xdfff) return 'half of a character';
  return 'an invisible character';
}

/** Writes a character as JSON and TypeScript do. */
function escape(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase();
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

function isExpected(text: string, at: number, character: string): boolean {
  if (!/[\u200C\u200D\uFE0E\uFE0F]/.test(character)) return false;
  const before = lastOf(text, at);
  const after = String.fromCodePoint(text.codePointAt(at + character.length) ?? 0x20);
  const around = [before + character + after, before + character];
  return joined.some((pattern) => around.some((t) => pattern.test(t)));
}

/** Returns the character that ends before a position. */
function lastOf(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  const from = low >= 0xdc00 && low <= 0xdfff ? at - 2 : at - 1;
  return from < 0 ? '' : text.slice(from, at);
}

const ellipsis = '…';

/** Returns the beginning of a name that is too long to be read. */
export const short = (text: string, most = 80): string =>
  text.length <= most ? text : text.slice(0, cut(text, most - 1)) + ellipsis;

/** Returns a position at which a text can be cut, not within a character. */
export function cut(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? at - 1 : at;
}
