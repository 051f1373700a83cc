import { clusterExamples, machineExamples } from './clusterExamples.ts';
import type { Example } from './example.ts';
import { bulkExamples, fileExamples, jobActionExamples } from './jobActionExamples.ts';
import { jobExamples, revisionExamples, scheduleExamples } from './jobExamples.ts';
import {
  eventExamples,
  healthExamples,
  liveExamples,
  loginExamples,
  metricsExamples,
} from './nodeExamples.ts';
import { runExamples } from './runExamples.ts';
import {
  auditExamples,
  groupExamples,
  limitExamples,
  notificationExamples,
  tokenExamples,
} from './settingExamples.ts';
import { timelineExamples } from './timelineExamples.ts';

/** The example of each route, by method and path as the document has them: `GET /api/v1/jobs`. */
export const routeExamples: Readonly<Record<string, Example>> = {
  ...below('/api/v1', {
    ...{ ...jobExamples, ...bulkExamples, ...jobActionExamples, ...revisionExamples },
    ...{ ...scheduleExamples, ...timelineExamples, ...runExamples, ...fileExamples },
    ...{ ...clusterExamples, ...machineExamples },
    ...{ ...liveExamples, ...eventExamples, ...groupExamples, ...limitExamples },
    ...{ ...notificationExamples, ...auditExamples, ...tokenExamples, ...loginExamples },
  }),
  ...healthExamples,
  ...metricsExamples,
};

function below(prefix: string, examples: Readonly<Record<string, Example>>) {
  return Object.fromEntries(
    Object.entries(examples).map(([key, example]) => {
      const path = `${prefix}${example.path}`;
      return [key.replace(' ', ` ${prefix}`), { ...example, path }] as const;
    }),
  );
}
