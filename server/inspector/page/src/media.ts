// Pictures, sound, films and PDF files of a conversation. The gateway keeps them once, by hash.
// Nothing is loaded from an address that a client or a model wrote.

import { el } from './dom';
import * as format from './format';
import type { Part } from './types-talk';

const pictures = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
/** The gateway keeps smaller files where they stand. */
const smallest = 1024;
const films = ['video/mp4', 'video/webm'];

/** Draws a file: what it shows, its type and its size. */
export function figure(part: Part): HTMLElement {
  const mime = (part.mime ?? '').toLowerCase().split(';')[0].trim();
  const facts = [part.name, mime || 'file', part.bytes ? format.bytes(part.bytes) : ''];
  const caption = el('figcaption', {}, facts.filter(Boolean).join(' · '));
  if (part.data && pictures.includes(mime) && /^[\w+/-]+=*$/.test(part.data)) {
    const plain = part.data.replace(/-/g, '+').replace(/_/g, '/');
    const shown = viewOf(mime, `data:${mime};base64,${plain}`, (text) => caption.append(` · ${text}`));
    return el('figure', { class: 'media' }, shown, caption);
  }
  if (!/^[0-9a-f]{64}$/.test(part.media ?? '')) {
    const isSmall = part.bytes && part.bytes < smallest;
    const why = isSmall ? 'A small file stays in the JSON; see raw.' : 'The bytes were not recorded.';
    const missing = part.uri
      ? el('p', {}, 'Not loaded: ', el('code', {}, part.uri))
      : el('p', { class: 'quiet' }, why);
    return el('figure', { class: 'media' }, missing, caption);
  }
  const source = `/api/media/${part.media}`;
  const name = `${part.media!.slice(0, 12)}.${extension(mime)}`;
  const save = el('a', { class: 'button small', href: source, download: name }, 'Save');
  const view = viewOf(mime, source, (text) => caption.append(` · ${text}`));
  return el('figure', { class: 'media' }, view, caption,
    el('p', { class: 'tools' }, opener(mime, source), save));
}

/** Shows a file if browsers can, and says what its view found out about it. */
function viewOf(mime: string, source: string, say: (text: string) => void): HTMLElement | null {
  const onerror = (): void => say('this browser cannot show it');
  if (pictures.includes(mime)) {
    const image: HTMLImageElement = el('img', {
      src: source, alt: `${mime} of the conversation`, loading: 'lazy', onerror,
      onload: () => say(`${image.naturalWidth} × ${image.naturalHeight}`),
    });
    return image;
  }
  const isFilm = films.includes(mime);
  if (!isFilm && !mime.startsWith('audio/')) return null;
  const player: HTMLMediaElement = el(isFilm ? 'video' : 'audio', {
    src: source, controls: true, preload: 'metadata', onerror,
    'aria-label': `${mime} of the conversation`,
    onloadedmetadata: () => {
      if (Number.isFinite(player.duration)) say(format.duration(player.duration * 1000));
    },
  });
  return player;
}

/** Returns a link to what a browser shows by itself. */
function opener(mime: string, source: string): HTMLElement | null {
  const isPDF = mime === 'application/pdf';
  if (!isPDF && !pictures.includes(mime)) return null;
  const outside = {
    class: 'button small', href: source, target: '_blank', rel: 'noreferrer noopener',
  };
  return el('a', outside, isPDF ? 'Open PDF' : 'Open');
}

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg', 'audio/mpeg': 'mp3', 'audio/x-wav': 'wav', 'video/quicktime': 'mov',
};

function extension(mime: string): string {
  return extensions[mime] ?? /^[a-z]+\/([a-z0-9]{1,5})$/.exec(mime)?.[1] ?? 'bin';
}
