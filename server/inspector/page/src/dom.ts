// Elements are made here and nowhere else. Texts of clients and models become text nodes, with an
// escape for each hidden character. No text becomes markup; the page's policy forbids it too.

import { meaning, pieces, plain } from './text';

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

/** Makes an element. Attributes that are functions listen: {onclick: ...}. False, null and undefined leave one out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  append(element, children);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Makes an element of a drawing. */
export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, tag) as SVGElement;
  set(element, attributes);
  append(element, children);
  return element;
}

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, attribute(name, value));
  }
}

/** Returns the value of an attribute. Those that people read have no hidden characters. */
function attribute(name: string, value: string | number): string {
  return name === 'title' || name === 'aria-label' ? plain(String(value)) : String(value);
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (child instanceof Node) element.append(child);
    else if (element instanceof HTMLOptionElement) element.append(plain(String(child)));
    else element.append(...textNodes(String(child)));
  }
}

/** Returns the nodes of a text. Each hidden character is an escape with a mark. */
export function textNodes(text: string, split = pieces): (Node | string)[] {
  return split(text).map((piece) => {
    if (!piece.isEscape) return piece.text;
    const mark = document.createElement('span');
    mark.className = 'escape';
    mark.title = meaning(piece.text);
    mark.append(piece.text);
    return mark;
  });
}

/** Puts children in the place of what an element has. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Returns an element of the page's own markup. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}

/** Announces a text to people who do not see the page. */
export function say(text: string): void {
  byId('said').textContent = plain(text);
}
