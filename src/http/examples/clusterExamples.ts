import type { clusterContract } from '../contract/clusterContract.ts';
import type { machineContract } from '../contract/machineContract.ts';
import type { Examples } from './example.ts';

const session = {
  ...{ sessionId: 's8e573fa07668fe8a3b0440d9', node: 'web1', host: 'web1' },
  state: 'live',
  ...{ processId: 4_321, guardianProcessId: 4_310, version: '0.6.0', timezoneData: '2025b' },
  ...{ capacity: 1_000, concurrency: 16, level: 1, labels: ['disk=ssd'], definitionFormat: 5 },
  users: ['backup'],
  ...{ isDraining: false, cordon: null, ttlMs: 45_000, renewedAgoMs: 1_628, endedWhy: null },
  ...{ prepared: 0, executing: 1, startedAt: '2030-01-30T14:00:01.067Z', endedAt: null },
  ...{ stripes: [0, 1, 2, 3], share: 0.0625 },
} as const;

const heldNode = {
  ...{ node: 'web1', changed: true, isLive: true },
  cordon: { since: '2030-01-31T09:30:41.180Z', by: 'first', note: 'kernel upgrade' },
  ...{ withdrawn: 0, prepared: 0, executing: 1 },
};

const verification = {
  ...{ at: '2030-01-31T09:31:02.718Z', since: null, jobs: 1, removed: 0, ticks: 31, runs: 32 },
  ...{ broken: 0, warnings: 0, leftOut: 0, counts: {}, findings: [] },
};

export const clusterExamples: Examples<typeof clusterContract> = {
  'GET /cluster': {
    path: '/cluster',
    answer: {
      ...{ now: '2030-01-31T09:30:22.698Z', jobs: 1, overdue: 0 },
      ...{ unrunnable: { jobs: 0, names: [] }, warnings: [], pauses: [], sessions: [session] },
    },
  },
  'GET /sessions': {
    path: '/sessions',
    answer: {
      sessions: [
        {
          ...{ sessionId: session.sessionId, nodeName: 'web1', level: 1, definitionFormat: 5 },
          ...{
            labels: [],
            isDraining: false,
            isCordoned: false,
            users: ['backup'],
            isLive: true,
            beats: 421,
            ttlMs: 45_000,
          },
        },
      ],
      ...{ databaseNowMs: 1_896_080_422_708.562, targetingVersion: 1_896_080_422 },
    },
  },
  'DELETE /nodes/{node}': { path: '/nodes/web3', answer: { node: 'web3', slots: 0 } },
  'PUT /nodes/{node}/cordon': {
    path: '/nodes/web1/cordon',
    body: { note: 'kernel upgrade' },
    answer: heldNode,
  },
  'POST /nodes/{node}/drain': {
    path: '/nodes/web1/drain',
    body: { note: 'kernel upgrade' },
    answer: { ...heldNode, withdrawn: 2 },
  },
  'DELETE /nodes/{node}/cordon': {
    path: '/nodes/web1/cordon',
    answer: { ...heldNode, cordon: null },
  },
  'GET /verify': {
    path: '/verify?job=report&since=7d',
    isStream: true,
    text: `${JSON.stringify({ verification })}\n`,
  },
};

export const machineExamples: Examples<typeof machineContract> = {
  'GET /machines': {
    path: '/machines',
    answer: {
      items: [
        {
          ...{ id: 'slot', states: ['prepare', 'executing', 'reset', 'idle'] },
          description:
            'One launch of a job: the lifecycle of a slot from its claim until it is idle again.',
        },
      ],
    },
  },
  'GET /machines/{machine}': {
    path: '/machines/slot',
    answer: {
      ...{ id: 'slot', initial: 'prepare', states: { prepare: { initial: 'waiting' } } },
      description:
        'One launch of a job: the lifecycle of a slot from its claim until it is idle again.',
    },
  },
  'GET /machines/{machine}/drawing': {
    path: '/machines/slot/drawing?format=mermaid',
    text: '---\ntitle: slot\n---\nstateDiagram-v2\n  direction TB\n',
  },
};
