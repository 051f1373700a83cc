import type { runContract } from '../contract/runContract.ts';
import type { Examples } from './example.ts';

const run = {
  ...{ job: 'report', group: 'finance', runId: 1, nodeName: '', slotNo: 0 },
  ...{ launchId: 's8e573fa07668fe8a3b0440d9:1', attempt: 1 },
  trigger: 'manual',
  scheduledFor: '2030-01-31T09:30:21.415Z',
  startedAt: '2030-01-31T09:30:21.470Z',
  endedAt: '2030-01-31T09:30:21.587Z',
  result: 'succeeded',
  ...{
    exitCode: 0,
    signal: null,
    node: 'web1',
    outputBytes: 13,
    outputFile: null,
    outputCommand: null,
  },
  ...{ scheduledUntil: null, ticks: 1, reason: null, isFinal: true },
  ...{ requestId: 'report-1', revision: 1 },
} as const;

const life = {
  at: null,
  phases: [
    {
      name: 'starting',
      ...{ begin: run.scheduledFor, end: run.startedAt },
      states: ['idle', 'prepare.waiting', 'prepare.queueing', 'prepare.starting', 'prepare.early'],
      text: 'When it was claimed and how long it was queued is not recorded.',
    },
    {
      name: 'running',
      states: ['executing.running'],
      ...{ begin: run.startedAt, end: run.endedAt },
      text: 'From the start of its command to the end of the last of its processes.',
    },
    {
      name: 'finishing',
      states: ['executing.finishing', 'executing.retrying'],
      ...{ begin: run.endedAt, end: null },
      text: 'When the result was committed is not recorded.',
    },
  ],
  marks: [
    { kind: 'requested', at: run.scheduledFor, text: 'requested' },
    {
      kind: 'outputWritten',
      at: '2030-01-31T09:30:21.591Z',
      text: 'output written to the database',
    },
  ],
  messages: null,
} as const;

const { launchId } = run;
const text = 'report ready\n';

export const runExamples: Examples<typeof runContract> = {
  'GET /runs': {
    path: '/runs?job=report&since=7d&limit=1',
    answer: { items: [run], next: null },
  },
  'GET /runs/{run}': { path: '/runs/report-1', answer: { ...run, life } },
  'POST /runs/{run}/stop': {
    path: '/runs/report-1/stop',
    answer: { launchId, answer: 'asked', withdrawn: 0 },
  },
  'POST /runs/{run}/retry': {
    path: '/runs/report-1/retry',
    answer: { job: 'report', launchId, requestId: 'report-1', attempt: 2, isNew: true },
  },
  'GET /runs/{run}/log': {
    path: '/runs/report-1/log',
    text,
    answer: { launchId, outputBytes: 13, keptBytes: 13, text, base64: 'cmVwb3J0IHJlYWR5Cg==' },
  },
  'POST /runs/{run}/live': {
    path: '/runs/report-1/live',
    body: { seenBytes: 0 },
    answer: { outputBytes: 13, base64: 'cmVwb3J0IHJlYWR5Cg==', isReported: true },
  },
  'POST /runs/{run}/follow': { path: '/runs/report-1/follow', isStream: true, text },
};
