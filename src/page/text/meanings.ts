/** What words of the page mean that are not plain, as they stand on it, in the order of letters. */
export const meanings: Readonly<Record<string, string>> = {
  attempt: 'The number of the try of one tick: each retry is a run of its own.',
  'cannot run': 'No live node may run it.',
  chain: 'The jobs whose ends start it, and those that its own end starts.',
  cordoned:
    'By Cordon or Drain: it takes no new work until it is uncordoned. What it runs goes on; what ' +
    'it had prepared too, or with Drain goes to other nodes.',
  draining:
    'Its process was told to stop: it takes no new work, and ends when its last run has ended.',
  'given up':
    'Notifications that are tried no more: they could not be sent for a day, or after 20 tries.',
  guardian: 'The parent of a node, which ends its runs and starts it again when it fails.',
  late: 'Waiting for more than 10 s: due, and not started.',
  launch: 'One start of a job, by its schedule or by a request.',
  'launch id': 'Names one start of a job in the whole cluster, and is never used again.',
  'lease renewed':
    'A node may act only while it renews its lease in the database. If it cannot, its runs are ' +
    'ended, and other nodes take over.',
  level:
    'Of the live nodes that may run a job those of level 1 take it, when there is none those of ' +
    '2, and so on. Level 0 takes nothing; level -1 runs each tick as well, by itself.',
  lost: 'Its node was lost while it ran: how it ended is not known.',
  missed: 'No node was there to start it at its time.',
  'next tick': 'The next of the times that its schedule names.',
  'not started': 'The node that had it started nothing: its tick comes again.',
  observed: 'Its ticks are recorded, and nothing starts but by hand, until it goes live.',
  'p50, p95':
    'How long runs took: half of the last 20 no longer than the first, 95 of 100 no longer than ' +
    'the second.',
  prepared: 'A node has taken it, 30 s ahead at most, and starts it at its time.',
  'request id': 'Names the request that started it: sent again, it starts nothing more.',
  revision: 'What the job was between one change and the next.',
  session: 'One life of a node, from its start to its end.',
  skipped: 'The job says that such a tick does not run, for instance while another run goes on.',
  slot: 'Room for one run of a job: as many as may run at once, for some jobs on each node.',
  taken: 'How many of the launches that the limit allows run or are prepared.',
  tick: 'A time that the schedule of a job names.',
  waiting: 'Due and not started: an earlier run, a limit or busy nodes hold it back.',
};

/** Of a word as it is shown; undefined: it is plain. */
export function meaningOf(word: string): string | undefined {
  const name = word.toLowerCase();
  return Object.hasOwn(meanings, name) ? meanings[name] : undefined;
}
