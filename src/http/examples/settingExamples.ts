import type { groupContract, limitContract } from '../contract/groupContract.ts';
import type { notificationContract } from '../contract/notificationContract.ts';
import type { auditContract, tokenContract } from '../contract/tokenContract.ts';
import type { Examples } from './example.ts';

const group = {
  ...{ group: 'web', nodes: ['web1', 'web2'], jobs: 0 },
  changedAt: '2030-01-30T14:10:00.214Z',
};

export const groupExamples: Examples<typeof groupContract> = {
  'GET /groups': { path: '/groups', answer: { items: [group] } },
  'GET /groups/{group}': { path: '/groups/web', answer: { ...group, jobNames: [] } },
  'PUT /groups/{group}': {
    path: '/groups/web',
    headers: { 'If-None-Match': '*' },
    body: { nodes: ['web1', 'web2'] },
    answer: { group: 'web', nodes: ['web1', 'web2'], changed: true, withdrawn: 0 },
  },
  'DELETE /groups/{group}': {
    path: '/groups/web',
    answer: { group: 'web', nodes: [], changed: true, withdrawn: 0 },
  },
};

export const limitExamples: Examples<typeof limitContract> = {
  'GET /job-groups': { path: '/job-groups', answer: { items: ['finance'] } },
  'GET /limits': {
    path: '/limits',
    answer: {
      items: [{ group: 'finance', max: 2, held: 0, running: 0, waiting: 0, jobs: 1 }],
    },
  },
  'PUT /limits/{group}': {
    path: '/limits/finance',
    body: { max: 2 },
    answer: { group: 'finance', max: 2, changed: true },
  },
  'DELETE /limits/{group}': {
    path: '/limits/finance',
    answer: { group: 'finance', max: null, changed: true },
  },
};

export const tokenExamples: Examples<typeof tokenContract> = {
  'GET /tokens': {
    path: '/tokens',
    answer: {
      items: [
        {
          ...{ tokenId: 'd3301e58ed5a', name: 'grafana', role: 'viewer', groups: null },
          madeAt: '2030-01-30T14:12:21.377Z',
          lastUsedAt: '2030-01-31T11:30:02.118Z',
          ...{ expiresAt: '2031-01-30T14:12:21.372Z', expired: false },
        },
      ],
    },
  },
  'POST /tokens': {
    path: '/tokens',
    body: { name: 'grafana', role: 'viewer', expires: '365d' },
    answer: {
      ...{ tokenId: 'd3301e58ed5a', name: 'grafana' },
      secret: 'statecron_d3301e58ed5a_EXAMPLE-ONLY-EXAMPLE-ONLY-EXAMPLE-ONLY-EXA',
    },
  },
  'DELETE /tokens/{token}': {
    path: '/tokens/grafana',
    answer: { tokenId: 'd3301e58ed5a', name: 'grafana' },
  },
};

export const auditExamples: Examples<typeof auditContract> = {
  'GET /audit': {
    path: '/audit?action=job.run&limit=1',
    answer: {
      items: [
        {
          ...{ auditId: 4, at: '2030-01-31T09:30:21.423Z', actor: 'grafana', via: 'api' },
          ...{ address: '127.0.0.1', requestId: 'r2e7dd9a9a3d87d4f', group: 'finance' },
          ...{ action: 'job.run', target: 'report', before: null },
          after: { requestId: 'report-1', env: [], node: null, ignoresOverlap: false },
        },
      ],
      next: '4',
    },
  },
};

const name = 'ops';
const id = 'a1f1b9d2c87e4f60';

export const notificationExamples: Examples<typeof notificationContract> = {
  'GET /notify/targets': {
    path: '/notify/targets',
    answer: {
      items: [
        {
          ...{ name, kind: 'mail', address: 'ops@example.com', events: ['failure'] },
          ...{ longMs: null, minuteMax: 10, waiting: 1, givenUp: 0 },
          ...{ lastSentAt: null, lastError: null },
        },
      ],
    },
  },
  'POST /notify/targets': {
    path: '/notify/targets',
    body: { name, kind: 'mail', address: 'ops@example.com', events: ['failure'] },
    answer: { name, secret: null },
  },
  'PATCH /notify/targets/{target}': {
    path: '/notify/targets/ops',
    body: { events: ['failure', 'recovery'], minuteMax: 5 },
    answer: { name, changed: true },
  },
  'DELETE /notify/targets/{target}': {
    path: '/notify/targets/ops',
    answer: { name, removed: true },
  },
  'POST /notify/targets/{target}/test': {
    path: '/notify/targets/ops/test',
    answer: { name, id },
  },
  'POST /notify/targets/{target}/retry': {
    path: '/notify/targets/ops/retry',
    answer: { name, notifications: 0 },
  },
  'GET /notify/mutes': { path: '/notify/mutes', answer: { items: [] } },
  'PUT /notify/mutes/{kind}/{name}': {
    path: '/notify/mutes/job/report',
    body: { until: '1h', note: 'new disk' },
    answer: {
      ...{ kind: 'job', name: 'report', changed: true },
      mute: {
        ...{ since: '2030-01-31T09:30:00.000Z', until: '2030-01-31T10:30:00.000Z' },
        ...{ by: 'laptop', note: 'new disk' },
      },
    },
  },
  'DELETE /notify/mutes/{kind}/{name}': {
    path: '/notify/mutes/job/report',
    answer: { kind: 'job', name: 'report', mute: null, changed: true },
  },
  'GET /notify/log': {
    path: '/notify/log?target=ops&limit=1',
    answer: {
      items: [
        {
          ...{ id, target: name, event: 'test', state: 'waiting', facts: {} },
          createdAt: '2030-01-31T09:40:00.120Z',
          dueAt: '2030-01-31T09:40:00.120Z',
          ...{ endedAt: null, tries: 0, lastError: null },
        },
      ],
    },
  },
};
