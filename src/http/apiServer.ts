import type { NodeReports } from '../actors/runtime/runtime.ts';
import type { NodeView } from '../actors/view/nodeView.ts';
import type { DatabaseAddress } from '../store/connection/databaseAddress.ts';
import { openEventReader } from '../store/events/openEventReader.ts';
import { openGaugeReader } from '../store/metrics/openGaugeReader.ts';
import type { Api } from './authentication/api.ts';
import type { OneTimeLogin } from './authentication/oneTimeLogin.ts';
import { tapActors } from './events/actorTap.ts';
import { EventHub } from './events/eventHub.ts';
import { addEventRoutes } from './events/eventRoutes.ts';
import { addHealthRoutes, ReadinessCheck } from './health/readiness.ts';
import { addMetricsRoute, NodeMetrics } from './metrics/nodeMetrics.ts';
import { addApiRoutes } from './routes/addApiRoutes.ts';
import { addLiveRoute } from './routes/machineRoutes.ts';
import { serveApi } from './serveApi.ts';
import type { HttpSettings } from './server/httpSettings.ts';
import type { KeptListener } from './server/keepListening.ts';
import { NodeActivities } from './views/nodeActivities.ts';

/** Where and how a node serves its API, from its first moment on. */
export interface ApiServerOptions {
  readonly settings: HttpSettings;
  /** Listens already, or will; the server closes it. */
  readonly listener: KeptListener;
  /** The link that logs one browser in; null: there is none. */
  readonly oneTime?: OneTimeLogin | null;
}

export interface ApiServer {
  /** What the node's actors report to: it is counted, and passed on. */
  readonly reports: NodeReports;
  /** Serves from now on, when there is a node to look at. */
  serve(view: NodeView): void;
  /** Takes no more requests, ends streams, and lets go of the database. */
  close(): Promise<void>;
}

/**
 * A node's API with its eyes: the routes, the event stream, the metrics. It has connections of its
 * own, opened when they are needed; nothing of it stands in the way of the node's work.
 */
export function makeApiServer(
  { listener, oneTime = null, settings }: ApiServerOptions,
  database: DatabaseAddress,
  inner: NodeReports,
): ApiServer {
  const trouble = (what: string, error: unknown): void => inner.trouble(what, error);
  const reader = openGaugeReader(database);
  const metrics = new NodeMetrics({ reader, jobLabelsMax: settings.metricsJobsMax, trouble });
  let close = (): Promise<void> => listener.close();
  return {
    reports: metrics.count(inner),
    serve: (view) => {
      const hub = openHub(database, view, trouble);
      metrics.show(view, () => hub.counts());
      const readSchemaFit = () => reader.schemaFit(view.version);
      const activities = new NodeActivities(view, reader);
      const ready = new ReadinessCheck({ view, readSchemaFit });
      const served = serveApi({
        ...{ database, listener, oneTime, settings, trouble, ttlMs: view.ttlMs },
        addRoutes: (api) => addNodeRoutes(api, { view, activities, ready, metrics, hub, settings }),
      });
      close = async () => {
        hub.close();
        await served.close();
      };
    },
    close: async () => {
      await close();
      await reader.close();
    },
  };
}

interface RouteParts {
  readonly view: NodeView;
  readonly activities: NodeActivities;
  readonly ready: ReadinessCheck;
  readonly metrics: NodeMetrics;
  readonly hub: EventHub;
  readonly settings: Pick<HttpSettings, 'isMetricsOpen'>;
}

/** Every route of a node but those of logins. What is more particular is added first. */
export function addNodeRoutes(api: Api, parts: RouteParts): void {
  const { activities, hub, metrics, ready, settings, view } = parts;
  addHealthRoutes(api, ready);
  addMetricsRoute(api, metrics, settings.isMetricsOpen);
  addEventRoutes(api, hub);
  addLiveRoute(api, view, activities);
  addApiRoutes(api, view.version);
}

function openHub(
  database: DatabaseAddress,
  view: NodeView,
  trouble: (what: string, error: unknown) => void,
): EventHub {
  return new EventHub({
    node: view.nodeName,
    openReader: () => openEventReader(database, 'events'),
    watchActors: (see) => tapActors(view, see),
    trouble,
  });
}
