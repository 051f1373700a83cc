import { effect, signal } from '@preact/signals';
import { startFeed, stopFeed, stream } from '../live/liveFeed.ts';
import { forgetKept } from '../state/kept.ts';
import { dropUnsaved } from '../state/unsaved.ts';
import { ApiProblem } from './apiProblem.ts';
import { type Answer, callApi, isLoginOver } from './callApi.ts';

type Caller = Answer<'GET /caller'>;
export type Role = Caller['role'];

/** Who looks at the page; null: nobody has logged in; undefined: not known yet. */
export const caller = signal<Caller | null | undefined>(undefined);

/** Why it is not known yet. */
export const sessionProblem = signal<ApiProblem | null>(null);

effect(() => {
  if (!isLoginOver.value && stream.value.state !== 'refused') return;
  leave();
});

/** Whether its reader has logged in at a proxy before the node, which says who it is. */
export const isBehindProxy = document.documentElement.dataset.login === 'proxy';

/** Whether this browser has logged in: without, the node need not be asked. */
const mark = 'statecron.login';

function hasLoggedIn(): boolean {
  try {
    return isBehindProxy || localStorage.getItem(mark) !== null;
  } catch {
    return true; // storage may be forbidden: the node knows
  }
}

function noteLogin(isIn: boolean): void {
  try {
    if (isIn) localStorage.setItem(mark, 'yes');
    else localStorage.removeItem(mark);
  } catch {
    // Storage may be forbidden: then the node is asked.
  }
}

/** Finds out who looks; a node that does not answer is tried again until it does. */
export async function readCaller(): Promise<void> {
  if (!hasLoggedIn()) {
    caller.value = null;
    return;
  }
  try {
    begin(await callApi('GET /caller'), 'join');
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return;
    sessionProblem.value = error instanceof ApiProblem ? error : null;
    setTimeout(readCaller, 2_000);
  }
}

/** By a token, or by what is in the link that `statecron up` prints. Throws ApiProblem. */
export async function logIn(token: string): Promise<void> {
  begin(await callApi('POST /login', { body: { token: token.trim() } }), 'restart');
}

export async function logOut(): Promise<void> {
  stopFeed();
  await callApi('POST /logout').catch(() => undefined); // the login may be over already
  dropUnsaved();
  leave();
}

function leave(): void {
  noteLogin(false);
  forgetKept();
  caller.value = null;
}

/** Who logged in last: their login may be over, and what they typed is theirs alone. */
let reader: string | null = null;

function begin(who: Caller, how: 'join' | 'restart'): void {
  noteLogin(true);
  isLoginOver.value = false;
  sessionProblem.value = null;
  startFeed(how);
  if (reader !== null && reader !== who.name) dropUnsaved();
  reader = who.name;
  caller.value = who;
}

const roles = ['viewer', 'operator', 'admin'];

/** Why the reader may not do what needs a role; null: nothing is in the way. */
export function whyNotAllowed(needed: Role): string | null {
  const role = caller.value?.role ?? 'viewer';
  if (roles.indexOf(role) >= roles.indexOf(needed)) return null;
  const whose = isBehindProxy ? 'you have' : 'your token has';
  return `This needs the role ${needed}; ${whose} the role ${role}.`;
}

/** Why the reader may not do what is for administrators of all groups; null: nothing is. */
export function whyNotAdministrator(): string | null {
  return whyNotAllowed('admin') ?? whyNotAllGroups();
}

/** Whether all jobs are the reader's to see: what the cluster counts is of all. */
export function seesAllGroups(): boolean {
  return (caller.value?.groups ?? null) === null;
}

/** Why the reader may not do what is about all groups of jobs; null: nothing is in the way. */
export function whyNotAllGroups(): string | null {
  const groups = caller.value?.groups ?? null;
  if (groups === null) return null;
  const whose = isBehindProxy ? 'you have' : 'your token has';
  return `This needs all groups of jobs; ${whose} ${groups.join(', ')}.`;
}
