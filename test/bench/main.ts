import path from 'node:path';
import { isBuilt } from '../support/isBuilt.ts';
import { readFlags } from '../support/readFlags.ts';
import type { BenchOptions, BenchResult } from './benchServer.ts';
import { runToEnd } from './runToEnd.ts';

const usage = `npm run bench -- NAME [options] [--json]

  burst --jobs 2000 [--rounds 3]         N jobs "true" due at one instant, against xargs
  share --jobs 1000 --seconds 60         N jobs of every second on two nodes, then verify
  downtime [--small]                     a job of every second after 30 days without a node
  steady --jobs 1000 --period 5s --seconds 30
  scale --rows 1000000                   claims and idling beside that many idle rows
  transitions [--jobs 20000] [--nodes 1] claim + start + finish, real commits, no children
  memory --jobs 10000                    resident memory, idle and with N prepared slots
  verify --rows 1000000                  statecron verify on that many history rows
  api --rows 100000 --jobs 20 --seconds 30 [--small]
                                         a node with jobs of every second beside that many jobs,
                                         before and while its API is asked and beset
  lists --rows 100000 [--runs 200000] [--small]
                                         each list of the page over that many jobs: time, rows read
  page --seconds 60 [--small]            the page in a browser: sizes, paint, scrolling, events,
                                         an idle tab, and what 20 open pages take from their node
  charts [--rounds 9] [--jobs 10000] [--small]
                                         what counting costs: processor time with and without it,
                                         lateness beside 20 pages on Machines
  siege --seconds 60 [--attack NAME,…] [--small]
                                         each attack on a node with jobs of every second, against
                                         the same load on an empty HTTP server beside it:
                                         pipelined, plans, previews, connections, streams, tokens
  fleet --nodes 80 --jobs 1000 --seconds 30 [--small]
                                         what 10, 40 and so many idle nodes take of their server,
                                         and how 65 at most share jobs of every 20 s
  history [--rate 2000] [--minutes 10] [--kb 4] [--small]
                                         a node with jobs of every second while so many runs a
                                         second are written with their outputs, and removed two
                                         minutes later
  soak --hours 2 [--snapshots FOLDER] [--small]
                                         two nodes with 60 runs a second, listened to and asked for
                                         lists all the time: by how much they grow, and heap
                                         snapshots after the warm-up and at the end

Each starts a database of its own and measures its baseline in the same run.`;

const benches: Record<string, () => Promise<(options: BenchOptions) => Promise<BenchResult>>> = {
  burst: async () => (await import('./burst.ts')).burst,
  share: async () => (await import('./share.ts')).share,
  downtime: async () => (await import('./downtime.ts')).downtime,
  steady: async () => (await import('./steady.ts')).steady,
  scale: async () => (await import('./scale.ts')).scale,
  memory: async () => (await import('./memory.ts')).memory,
  transitions: async () => (await import('./transitions.ts')).transitions,
  verify: async () => (await import('./verify.ts')).verify,
  api: async () => (await import('./api.ts')).api,
  lists: async () => (await import('./lists.ts')).lists,
  page: async () => (await import('./page/page.ts')).page,
  charts: async () => (await import('./charts.ts')).charts,
  siege: async () => (await import('./siege.ts')).siege,
  fleet: async () => (await import('./fleet/fleet.ts')).fleet,
  history: async () => (await import('./history/history.ts')).history,
  soak: async () => (await import('./soak/soak.ts')).soak,
};

const { values, positionals } = readFlags(
  {
    allowPositionals: true,
    options: {
      jobs: { type: 'string' },
      nodes: { type: 'string' },
      rows: { type: 'string' },
      runs: { type: 'string' },
      rounds: { type: 'string' },
      rate: { type: 'string' },
      minutes: { type: 'string' },
      snapshots: { type: 'string' },
      hours: { type: 'string', default: '2' },
      kb: { type: 'string' },
      period: { type: 'string', default: '5s' },
      seconds: { type: 'string', default: '30' },
      attack: { type: 'string', default: '' },
      small: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  },
  usage,
);
const load = benches[positionals[0] ?? ''];
if (values.help || load === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(values.help ? 0 : 2);
}

if (60 % Number.parseInt(values.period, 10) !== 0) {
  process.stderr.write('--period takes seconds that divide a minute, e.g. 5s\n');
  process.exit(2);
}
if (!(Number(values.hours) > 0)) {
  process.stderr.write('--hours takes a number above 0, e.g. 0.5\n');
  process.exit(2);
}
const root = path.resolve(import.meta.dirname, '../..');
// Benches measure the built program: one of other sources would tell nothing of these.
if (!isBuilt(root)) {
  process.stderr.write('building: the sources are newer than what was built of them\n');
  await runToEnd('npm', ['run', '--silent', 'build'], root);
}
const bench = await load();
const result = await bench({
  jobs: numberOf(values.jobs),
  nodes: numberOf(values.nodes),
  rows: numberOf(values.rows),
  runs: numberOf(values.runs),
  rounds: numberOf(values.rounds),
  rate: numberOf(values.rate),
  minutes: numberOf(values.minutes),
  hours: Number(values.hours),
  snapshots: values.snapshots === undefined ? null : path.resolve(values.snapshots),
  kilobytes: numberOf(values.kb),
  periodSeconds: Number.parseInt(values.period, 10),
  seconds: Number(values.seconds),
  isSmall: values.small,
  attacks: values.attack.split(',').filter((name) => name !== ''),
  say: (line) => process.stderr.write(`${line}\n`),
});
if (result.show !== undefined && !values.json) result.show();
else process.stdout.write(`${JSON.stringify(result.figures, null, values.json ? 0 : 2)}\n`);
for (const complaint of result.complaints) process.stderr.write(`WRONG: ${complaint}\n`);
process.exitCode = result.complaints.length === 0 ? 0 : 1;

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  process.stderr.write(`${text} is no whole number above 0\n\n${usage}\n`);
  process.exit(2);
}
