import type { eventContract } from '../contract/eventContract.ts';
import type { liveContract } from '../contract/machineContract.ts';
import type { healthContract, loginContract, metricsContract } from '../contract/nodeContract.ts';
import type { Examples } from './example.ts';

const caller = { name: 'grafana', role: 'viewer', groups: null } as const;

export const loginExamples: Examples<typeof loginContract> = {
  'POST /login': {
    path: '/login',
    headers: { Origin: '$STATECRON_URL' },
    body: { token: 'statecron_…' },
    bodyArgument: '@<(echo "{\\"token\\": \\"$(<"$STATECRON_TOKEN_FILE")\\"}")',
    answer: caller,
  },
  'POST /logout': { path: '/logout' },
  'GET /caller': { path: '/caller', answer: caller },
};

export const healthExamples: Examples<typeof healthContract> = {
  'GET /livez': { path: '/livez', answer: { isAlive: true } },
  'GET /readyz': {
    path: '/readyz',
    answer: {
      ...{ isReady: true, node: 'web1' },
      checks: {
        serving: { isOk: true, state: 'live.serving' },
        lease: { isOk: true, leftMs: 35_210 },
        database: { isOk: true, answeredAgoMs: 790 },
        schema: { isOk: true, fit: 'fits' },
      },
    },
  },
};

export const metricsExamples: Examples<typeof metricsContract> = {
  'GET /metrics': {
    path: '/metrics',
    text: '# TYPE statecron_cluster_jobs gauge\nstatecron_cluster_jobs 1\n',
  },
};

export const liveExamples: Examples<typeof liveContract> = {
  'GET /machines/live': {
    path: '/machines/live',
    answer: {
      ...{ node: 'web1', sessionId: 's8e573fa07668fe8a3b0440d9' },
      reports: [
        {
          ...{ node: 'web1', sessionId: 's8e573fa07668fe8a3b0440d9', version: '1.2.3' },
          ...{ isLive: true, reportedAt: '2030-01-31T09:30:21.415Z' },
        },
      ],
      actors: [{ actor: 'node', machine: 'node', state: 'live.serving' }],
      slotActors: { 'prepare.waiting': 1 },
      transitions: [
        {
          ...{ machine: 'slot', from: 'slot.prepare.starting', to: 'slot.executing' },
          ...{ event: 'start.committed', guard: null, count: 1 },
        },
      ],
      guards: [{ machine: 'slot', guard: 'tickHasCome', allowed: 1, refused: 0 }],
      versions: [],
      nodes: [
        {
          ...{ node: 'web1', sessionId: 's8e573fa07668fe8a3b0440d9', state: 'live' },
          ...{ isDraining: false, renewedAgoMs: 1_723, slots: { prepare: 1, executing: 0 } },
        },
      ],
    },
  },
};

const runEnded = {
  ...{ type: 'run.ended', job: 'report', group: 'finance' },
  ...{ launchId: 's8e573fa07668fe8a3b0440d9:1', revision: 1, nodeName: '', slotNo: 0 },
  ...{ node: 'web1', sessionId: 's8e573fa07668fe8a3b0440d9', trigger: 'manual', attempt: 1 },
  ...{ requestId: 'report-1', scheduledFor: '2030-01-31T09:30:21.415Z', runId: 1 },
  ...{ result: 'succeeded', isFinal: true, scheduledUntil: null, ticks: 1 },
  ...{ startedAt: '2030-01-31T09:30:21.470Z', endedAt: '2030-01-31T09:30:21.587Z' },
  ...{ exitCode: 0, signal: null, reason: null, outputBytes: 13 },
};

export const eventExamples: Examples<typeof eventContract> = {
  'GET /events': {
    path: '/events?kinds=run&job=report',
    isStream: true,
    text: [
      'retry: 2000',
      '',
      'event: stream.opened',
      'data: {"type":"stream.opened","node":"web1","isResumed":false}',
      '',
      'event: stream.live',
      'id: n0i2f4w3.1',
      'data: {"type":"stream.live"}',
      '',
      'event: run.ended',
      'id: n0i2f4w3.2',
      `data: ${JSON.stringify({ ...runEnded, runId: 2 })}`,
      '',
      '',
    ].join('\n'),
  },
};
