import type { NodeView } from '../../actors/view/nodeView.ts';
import { addActivity } from '../../domain/commit/addActivity.ts';
import { nodeMissing } from '../../store/cluster/nodeMissing.ts';
import type { Api } from '../authentication/api.ts';
import { liveContract, type machineContract } from '../contract/machineContract.ts';
import { countsByVersion } from '../views/countsByVersion.ts';
import { isoOrNull } from '../views/isoOf.ts';
import type { NodeActivities } from '../views/nodeActivities.ts';
import { addRoutes, type Handlers } from './handling/addRoutes.ts';
import { findDrawing, findMachine, loadMachines } from './handling/machineFiles.ts';

export const machineRoutes: Handlers<typeof machineContract> = {
  'GET /machines': async () => {
    const items = (await loadMachines()).map(({ id, config }) => ({
      id,
      states: Object.keys(config.states ?? {}),
      description: config.description ?? '',
    }));
    return { items };
  },
  'GET /machines/{machine}': async ({ machine }) => {
    const { id, config } = await findMachine(machine);
    // As JSON has it: what of a definition is code stands there by its name.
    return { ...JSON.parse(JSON.stringify(config)), id };
  },
  'GET /machines/{machine}/drawing': async ({ machine, format = 'svg', bare = false }, c) => {
    const drawing = await findDrawing(machine, format);
    const bytes = new Uint8Array(bare ? Buffer.from(withoutStyle(`${drawing}`)) : drawing);
    const type = format === 'svg' ? 'image/svg+xml' : 'text/plain; charset=utf-8';
    // Its styles stand within it, and nothing else of it is wanted.
    const policy = "default-src 'none'; style-src 'unsafe-inline'";
    return c.body(bytes, 200, { 'content-type': type, 'content-security-policy': policy });
  },
};

const withoutStyle = (svg: string): string => svg.replace(/<style>.*?<\/style>/s, '');

/** Sessions that ended lately may hold slots that nobody has freed yet. */
const liveBounds = { endedWithinMs: 10 * 60_000, sessionsMax: 1_000 };

/** `GET /api/v1/machines/live`; to be added before the routes with a name in that place. */
export function addLiveRoute(api: Api, view: NodeView, activities: NodeActivities): void {
  addRoutes(api, liveContract, {
    'GET /machines/live': async ({ cluster = false, node }, c) => {
      const { sessions } = await c.var.operate((operator) => operator.readCluster(liveBounds));
      const nodes = sessions.flatMap((session) => {
        const { node, sessionId, state, isDraining, renewedAgoMs, prepared, executing } = session;
        if (state !== 'live' && prepared + executing === 0) return [];
        const slots = { prepare: prepared, executing };
        return [{ node, sessionId, state, isDraining, renewedAgoMs, slots }];
      });
      const ofOne = node === undefined ? activities.own() : await activities.ofNode(node);
      const found = cluster ? await activities.ofAll() : [ofOne];
      const of = found.filter((each) => each !== undefined);
      if (of.length === 0) throw nodeMissing(node ?? view.nodeName);
      const known = of.flatMap(({ activity }) => activity ?? []);
      // What was said of launches goes with each of them: not everybody may see all.
      const [only] = known;
      const {
        launches: _,
        slots,
        ...activity
      } = cluster || only === undefined ? addActivity(known) : only;
      const reports = of.map(({ activity: _, reportedMs, ...session }) => {
        return { ...session, reportedAt: isoOrNull(reportedMs) };
      });
      const { nodeName, sessionId } = view;
      const versions = countsByVersion(of);
      return {
        node: nodeName,
        sessionId,
        reports,
        ...activity,
        slotActors: slots,
        versions,
        nodes,
      };
    },
  });
}
