// Tokens, cost and latency over time: three small drawings with the same axis.

import { byId, el, fill, svg } from './dom';
import * as format from './format';
import type { Summary } from './types';

const width = 320;
const height = 44;
const buckets = 40;

interface Bucket { from: number; to: number; of: Summary[] }

/** Draws the exchanges that are shown. */
export function draw(exchanges: Summary[]): void {
  const panel = byId('chart');
  const done = exchanges.filter((s) => !s.running);
  panel.hidden = exchanges.length === 0;
  if (panel.hidden) return;
  const times = done.map((s) => Date.parse(s.at));
  const first = Math.min(...times);
  const span = Math.max(1000, Math.max(...times) - first + 1);
  const split: Bucket[] = Array.from({ length: buckets }, (_, i) => ({
    from: first + (i * span) / buckets, to: first + ((i + 1) * span) / buckets, of: [],
  }));
  for (const s of done) split[Math.min(buckets - 1, Math.floor(((Date.parse(s.at) - first) / span) * buckets))]?.of.push(s);

  const sum = (of: Summary[], value: (s: Summary) => number): number => of.reduce((total, s) => total + value(s), 0);
  const input = sum(done, (s) => s.tokens.input);
  const output = sum(done, (s) => s.tokens.output);
  const priced = done.filter((s) => s.cost);
  const cost = sum(priced, (s) => s.cost!.amount);
  const currency = priced[0]?.cost?.currency ?? 'USD';
  const latencies = done.map((s) => s.duration).sort((a, b) => a - b);
  const range = done.length > 0 ? `${format.time(new Date(first).toISOString())} to ${format.time(new Date(first + span).toISOString())}` : '';

  fill(panel,
    figure('Tokens', `${format.short(input)} in, ${format.short(output)} out`, range,
      bars(split, (of) => [sum(of, (s) => s.tokens.output), sum(of, (s) => s.tokens.input)], ['s-output', 's-input'],
        (of) => `${format.count(sum(of, (s) => s.tokens.input))} in, ${format.count(sum(of, (s) => s.tokens.output))} out`)),
    figure('Cost', priced.length > 0 ? format.money(cost, currency) : 'No pricing data', range,
      bars(split, (of) => [sum(of, (s) => s.cost?.amount ?? 0)], ['s-cost'], (of) => format.money(sum(of, (s) => s.cost?.amount ?? 0), currency))),
    figure('Latency', latencies.length > 0 ? `median ${format.duration(quantile(latencies, 0.5))}, p95 ${format.duration(quantile(latencies, 0.95))}` : 'No requests yet', range,
      bars(split, (of) => {
        const sorted = of.map((s) => s.duration).sort((a, b) => a - b);
        const median = quantile(sorted, 0.5);
        return [median, quantile(sorted, 0.95) - median];
      }, ['s-median', 's-p95'], (of) => `median ${format.duration(quantile(of.map((s) => s.duration).sort((a, b) => a - b), 0.5))}`)),
  );
}

function quantile(sorted: number[], q: number): number {
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

function figure(name: string, total: string, range: string, drawing: SVGElement): HTMLElement {
  drawing.setAttribute('role', 'img');
  drawing.setAttribute('aria-label', `${name}: ${total}${range ? `, ${range}` : ''}`);
  return el('figure', {}, el('figcaption', {}, el('span', { class: 'name' }, name), ' ', el('span', { class: 'total' }, total)), drawing);
}

/** Draws stacked bars, each of which says what it stands for when pointed at. */
function bars(split: Bucket[], values: (of: Summary[]) => number[], classes: string[], title: (of: Summary[]) => string): SVGElement {
  const stacks = split.map((b) => values(b.of));
  const most = Math.max(1e-12, ...stacks.map((stack) => stack.reduce((a, b) => a + b, 0)));
  const step = width / buckets;
  const drawing = svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none' },
    svg('line', { class: 'base', x1: 0, x2: width, y1: height - 0.5, y2: height - 0.5 }));
  stacks.forEach((stack, i) => {
    if (split[i].of.length === 0) return;
    let top = height - 1;
    const group = svg('g', {}, svg('title', {}, `${format.time(new Date(split[i].from).toISOString())}: ${title(split[i].of)}, ${format.plural(split[i].of.length, 'request')}`),
      svg('rect', { class: 'hit', x: i * step, y: 0, width: step, height }));
    stack.forEach((value, part) => {
      const tall = Math.max(value > 0 ? 1.5 : 0, (value / most) * (height - 3));
      top -= tall;
      group.append(svg('rect', { class: classes[part], x: i * step + 0.75, y: top, width: step - 1.5, height: tall }));
    });
    drawing.append(group);
  });
  return drawing;
}
