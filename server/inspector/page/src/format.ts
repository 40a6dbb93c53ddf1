// How numbers and times are written.

import { recall, remember } from './remembered';

export type Zone = 'local' | 'utc';

let zone: Zone = recall('zone') === 'utc' ? 'utc' : 'local';
let clock: Intl.DateTimeFormat;
let date: Intl.DateTimeFormat;
let day: Intl.DateTimeFormat;

function prepare(): void {
  const timeZone = zone === 'utc' ? 'UTC' : undefined;
  clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone });
  date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone });
  day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone });
}
prepare();

export const currentZone = (): Zone => zone;

/** Chooses the time zone of all times, and remembers it. */
export function setZone(wanted: Zone): void {
  zone = wanted;
  remember('zone', wanted);
  prepare();
}

const offset = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'shortOffset' });

/** Returns the zone of the browser at a time, such as "UTC+2". */
export function localZone(at = new Date()): string {
  const name = offset.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', 'UTC').replace(/\+0$/, '');
}

/** Returns the zone that times are in. */
export const zoneName = (at = new Date()): string => (zone === 'utc' ? 'UTC' : localZone(at));

/** Writes a time of day; of another day the date comes first. */
export function time(at: string): string {
  const when = new Date(at);
  const isToday = date.format(when) === date.format(new Date());
  return isToday ? clock.format(when) : `${date.format(when)} ${clock.format(when)}`;
}

export const clockTime = (at: string): string => clock.format(new Date(at));
export const dateTime = (at: string): string => `${day.format(new Date(at))} ${zoneName(new Date(at))}`;

const whole = new Intl.NumberFormat('en-US');
export const count = (n: number): string => whole.format(n);

/** Writes milliseconds, such as "840 ms" or "1.24 s". */
export function duration(ms: number): string {
  if (ms < 0.005) return '0 ms';
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Writes a large number shortly, such as "12.4k". */
export function short(n: number): string {
  if (n < 1000) return String(Math.round(n));
  if (n < 1_000_000) return `${trim(n / 1000)}k`;
  return `${trim(n / 1_000_000)}M`;
}

const trim = (n: number): string => (n < 100 ? n.toFixed(1).replace(/\.0$/, '') : String(Math.round(n)));

export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  if (n < 1024 * 1024) return `${trim(n / 1024)} KB`;
  return `${trim(n / 1024 / 1024)} MB`;
}

const signs: Record<string, string> = { USD: '$', EUR: '€', GBP: '£' };

/** Writes an amount of money with three digits that say something. */
export function money(amount: number, currency: string): string {
  const digits = amount === 0 || amount >= 1 ? 2 : Math.min(8, 2 - Math.floor(Math.log10(amount)));
  const text = amount.toFixed(digits);
  return signs[currency] ? signs[currency] + text : `${text} ${currency}`;
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;
