// Sets the theme that the reader chose before the page is painted. Storage may be missing, for
// example in a page that was opened from a folder.
'use strict';
(() => {
  try {
    const chosen = localStorage.getItem('theme');
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  } catch { /* the theme of the system */ }
})();
