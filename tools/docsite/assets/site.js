// The parts of a page that need a script: search, theme, menu and copy buttons. Without it the page
// is complete except for these.
'use strict';
(() => {
  const root = document.currentScript.dataset.root;
  const $ = (selector) => document.querySelector(selector);

  // The theme: as the system, light, dark.
  const themes = ['', 'light', 'dark'];
  const button = $('.theme');
  const themeLabels = { '': 'as the system', light: 'light', dark: 'dark' };
  const showTheme = () => button.setAttribute('aria-label', `Theme: ${themeLabels[document.documentElement.dataset.theme ?? '']}`);
  button.addEventListener('click', () => {
    const html = document.documentElement;
    const next = themes[(themes.indexOf(html.dataset.theme ?? '') + 1) % themes.length];
    if (next) html.dataset.theme = next;
    else delete html.dataset.theme;
    try { localStorage.setItem('theme', next); } catch { /* it lasts for this page */ }
    showTheme();
  });
  showTheme();

  // The menu of a narrow screen.
  const menu = $('.menu');
  const navigation = $('#site-navigation');
  const openMenu = (open) => {
    navigation.classList.toggle('open', open);
    menu.setAttribute('aria-expanded', String(open));
  };
  menu.addEventListener('click', () => openMenu(!navigation.classList.contains('open')));
  navigation.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });

  // Copy buttons. A console block gives its commands without prompts and output.
  for (const block of document.querySelectorAll('.code')) {
    const copy = document.createElement('button');
    copy.type = 'button';
    copy.className = 'copy';
    copy.textContent = 'Copy';
    copy.setAttribute('aria-live', 'polite');
    copy.addEventListener('click', async () => {
      const code = block.querySelector('code').cloneNode(true);
      code.querySelectorAll('.output, .prompt').forEach((part) => part.remove());
      try {
        await navigator.clipboard.writeText(code.textContent.replace(/\n+$/, '') + '\n');
        copy.textContent = 'Copied';
      } catch {
        copy.textContent = 'Not copied';
      }
      copy.classList.add('done');
      setTimeout(() => { copy.textContent = 'Copy'; copy.classList.remove('done'); }, 1500);
    });
    block.append(copy);
  }

  // What is wider than the screen scrolls by the keyboard, too. Nothing else is a stop of Tab.
  const scrolled = [['pre', 'Code'], ['.table', 'Table'], ['.figure', 'Diagram']];
  const stops = () => scrolled.forEach(([selector, label]) => document.querySelectorAll(selector).forEach((part) => {
    if (part.scrollWidth > part.clientWidth) {
      part.tabIndex = 0;
      part.setAttribute('role', 'group');
      part.setAttribute('aria-label', label);
    } else ['tabindex', 'role', 'aria-label'].forEach((name) => part.removeAttribute(name));
  }));
  addEventListener('resize', stops);
  stops();

  // The search. Its index is a script, because a page from a folder may not fetch files.
  const input = $('#site-search');
  const results = $('#site-results');
  const status = $('#site-found');
  let index;
  let loading;
  let selected = -1;
  const load = () => loading ??= new Promise((resolve) => {
    const script = document.createElement('script');
    script.src = `${root}assets/search-index.js`;
    script.onload = () => {
      index = window.searchIndex.map((e) => ({ ...e, page: e.p.toLowerCase(), heading: (e.h ?? '').toLowerCase(), text: e.t.toLowerCase() }));
      resolve();
    };
    document.head.append(script);
  });

  /** Returns how well an entry has all words: names count more than text, whole words more than beginnings. */
  const score = (entry, words) => {
    let sum = 0;
    for (const word of words) {
      const at = (text, weight) => {
        const i = text.indexOf(word);
        if (i < 0) return 0;
        const starts = i === 0 || !/[\p{L}\p{N}]/u.test(text[i - 1]);
        const ends = !/[\p{L}\p{N}]/u.test(text[i + word.length] ?? ' ');
        return weight * (starts ? (ends ? 4 : 2) : 1);
      };
      const best = at(entry.heading, 6) + at(entry.page, entry.h ? 4 : 8) + at(entry.text, 1);
      if (best === 0) return 0;
      sum += best;
    }
    return sum;
  };

  const marked = (text, words) => {
    const part = document.createDocumentFragment();
    const pattern = new RegExp(`(${words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi');
    text.split(pattern).forEach((piece, i) => {
      if (i % 2 === 0) return part.append(piece);
      const m = document.createElement('mark');
      m.textContent = piece;
      part.append(m);
    });
    return part;
  };

  const excerpt = (entry, words) => {
    const first = Math.min(...words.map((w) => entry.text.indexOf(w)).filter((i) => i >= 0));
    const start = Number.isFinite(first) ? Math.max(0, first - 50) : 0;
    return `${start > 0 ? '… ' : ''}${entry.t.slice(start, start + 150)}${entry.t.length > start + 150 ? ' …' : ''}`;
  };

  const select = (i) => {
    const items = [...results.children];
    selected = items.length === 0 ? -1 : (i + items.length) % items.length;
    items.forEach((item, j) => item.setAttribute('aria-selected', String(j === selected)));
    if (selected >= 0) {
      input.setAttribute('aria-activedescendant', items[selected].id);
      items[selected].scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  };

  const hide = () => {
    results.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
    selected = -1;
  };

  const small = new Set('a an and are as at by can do does for from has have how i if in is it me mean my of on or the this to use using what when where which why with you your'.split(' '));
  const search = async () => {
    await load();
    const all = input.value.toLowerCase().split(/\s+/).map((w) => w.replace(/[?!.,;:]+$/, '')).filter(Boolean);
    const large = all.filter((w) => !small.has(w));
    const words = large.length > 0 ? large : all;
    results.replaceChildren();
    if (words.length === 0) {
      status.textContent = '';
      return hide();
    }
    const rank = (wanted) => index.map((entry) => ({ entry, score: score(entry, wanted) })).filter((r) => r.score > 0)
      .sort((a, b) => b.score - a.score).slice(0, 12);
    let found = rank(words);
    // Where no section has all words, those with the most of them are shown.
    if (found.length === 0) {
      found = index.map((entry) => {
        const scores = words.map((w) => score(entry, [w])).filter((s) => s > 0);
        return { entry, score: scores.length * 100 + scores.reduce((a, b) => a + b, 0) };
      }).filter((r) => r.score > 0).sort((a, b) => b.score - a.score).slice(0, 8);
    }
    found.forEach(({ entry }, i) => {
      const item = document.createElement('li');
      item.id = `result${i}`;
      item.setAttribute('role', 'option');
      item.dataset.href = root + entry.u;
      const title = document.createElement('strong');
      title.append(marked(entry.h ?? entry.p, words));
      item.append(title);
      if (entry.h) {
        const page = document.createElement('small');
        page.append(marked(entry.p, words));
        item.append(page);
      }
      const text = document.createElement('p');
      text.append(marked(excerpt(entry, words), words));
      item.append(text);
      item.addEventListener('click', () => { hide(); location.href = item.dataset.href; });
      results.append(item);
    });
    status.textContent = found.length === 0 ? 'Nothing found' : `${found.length} results`;
    if (found.length === 0) {
      const none = document.createElement('li');
      none.id = 'result0';
      none.setAttribute('role', 'option');
      none.setAttribute('aria-disabled', 'true');
      none.textContent = 'Nothing found. Try fewer words.';
      results.append(none);
    }
    results.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    select(0);
  };

  input.addEventListener('focus', load, { once: true });
  input.addEventListener('input', search);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (results.hidden) search();
      else select(selected + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter' && !results.hidden) {
      const href = results.children[selected]?.dataset.href;
      if (href) { hide(); location.href = href; }
    } else if (event.key === 'Escape') {
      if (results.hidden) input.value = '';
      hide();
    }
  });
  document.addEventListener('click', (event) => { if (!event.target.closest('.search')) hide(); });
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest('input, textarea, [contenteditable]');
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
      input.select();
    } else if (event.key === 'Escape' && menu.getAttribute('aria-expanded') === 'true') {
      openMenu(false);
      menu.focus();
    }
  });
})();
