// The connection to the gateway: its state in the bar, the switch of the bodies, and what to do when
// the session has ended.

import * as api from './api';
import { byId, el, fill, say } from './dom';
import { notify } from './notice';
import type { News } from './types';

const words: Record<api.Connection, string> = {
  connecting: 'Connecting…', live: 'Live', lost: 'Disconnected – reconnecting…', ended: 'Session ended',
};

let now: api.Connection = 'connecting';

export const state = (): api.Connection => now;

/** Listens for news while the page is open. */
export function start(onNews: (news: News, isFirst: boolean) => void, changed: () => void): void {
  byId('bodies').addEventListener('change', switchBodies);
  api.listen(onNews, (state, command) => {
    now = state;
    fill(byId('connection'), words[state]);
    byId('connection').className = `connection ${state}`;
    byId('ended').hidden = state !== 'ended';
    if (state === 'ended') showEnd(command);
    changed();
  });
}

/** Says how to open the page again. The gateway may know its own process id. */
function showEnd(command: string | undefined): void {
  fill(byId('ended'), el('strong', {}, 'Session ended.'), ' Run ', el('code', {}, command || 'kill -HUP <pid>'),
    command ? '' : ' with the process id of gemwire', '. It prints a new link in the log of ', el('code', {}, 'gemwire serve --inspect'),
    '. Open the link in this browser, and reload. This page keeps its contents until then. ',
    el('button', { type: 'button', class: 'small', onclick: () => location.reload() }, 'Reload'));
  say('Session ended.');
}

function switchBodies(event: Event): void {
  const keep = (event.target as HTMLInputElement).checked;
  api.post('/api/bodies', { keep }).then(
    () => say(keep ? 'Recording bodies of new requests.' : 'Body recording is off.'),
    (error: Error) => notify(error.message, true));
}
