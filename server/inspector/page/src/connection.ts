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
  api.listen(onNews, (state, said) => {
    now = state;
    fill(byId('connection'), words[state]);
    byId('connection').className = `connection ${state}`;
    byId('ended').hidden = state !== 'ended';
    if (state === 'ended') showEnd(said);
    changed();
  });
}

/** Says how to open the page again. The gateway may know more, such as its process id. */
function showEnd(said: string | undefined): void {
  fill(byId('ended'), el('strong', {}, 'Session ended.'), ' ',
    said ? `${said} ` : '',
    'Sign in again with a new link: it is in the log of ', el('code', {}, 'gemwire serve --inspect'), ', and ',
    el('code', {}, 'kill -HUP <pid>'), ' with the process id of gemwire prints another one. This page keeps its contents until you leave it. ',
    el('button', { type: 'button', class: 'small', onclick: () => location.reload() }, 'I have signed in: reload'));
  say('Session ended.');
}

function switchBodies(event: Event): void {
  const keep = (event.target as HTMLInputElement).checked;
  api.post('/api/bodies', { keep }).then(
    () => say(keep ? 'Recording bodies of new requests.' : 'Body recording is off.'),
    (error: Error) => notify(error.message, true));
}
