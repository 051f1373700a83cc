import type { Context } from 'hono';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { NodeReports } from '../../actors/runtime/runtime.ts';
import type { NodeView } from '../../actors/view/nodeView.ts';
import type { GaugeReader } from '../../store/metrics/openGaugeReader.ts';
import type { Api, ApiEnv } from '../authentication/api.ts';
import { metricsContract } from '../contract/nodeContract.ts';
import type { HubCounts } from '../events/eventHub.ts';
import { addRoutes } from '../routes/handling/addRoutes.ts';
import { ClusterMetrics, jobMetricName } from './clusterMetrics.ts';
import { addReadMetrics } from './readMetrics.ts';
import { countReports } from './reportMetrics.ts';

interface NodeMetricsParts {
  readonly reader: GaugeReader;
  /** Jobs that have a series of their own, see `--metrics-jobs`. */
  readonly jobLabelsMax: number;
  readonly trouble: (what: string, error: unknown) => void;
}

/** How exactly the lag of the event loop is measured, in milliseconds; each step wakes the loop. */
const lagStepMs = 20;

/** The metrics of one node, of its process, and of the whole cluster as this node sees it. */
export class NodeMetrics {
  readonly #registry = new Registry();
  readonly #cluster: ClusterMetrics;

  constructor(parts: NodeMetricsParts) {
    const [register, eventLoopMonitoringPrecision] = [this.#registry, lagStepMs];
    collectDefaultMetrics({ register, eventLoopMonitoringPrecision });
    this.#cluster = new ClusterMetrics({ ...parts, registry: this.#registry });
  }

  /** What the node's actors report to, in place of `reports`, which get the same. */
  count(reports: NodeReports): NodeReports {
    return countReports(this.#registry, reports);
  }

  /** Adds what a node and its clients of events are, from when there is a node. */
  show(view: NodeView, hub: () => HubCounts): void {
    new Gauge({
      name: 'statecron_node_info',
      help: 'One, with what the node is called',
      labelNames: ['node', 'version'],
      registers: [this.#registry],
    }).set({ node: view.nodeName, version: view.version }, 1);
    addReadMetrics(this.#registry, { ...nodeRows(view), ...hubRows(hub) });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The text that Prometheus reads. `mayNameJobs`: the reader may know of every job. */
  async text(mayNameJobs: boolean): Promise<string> {
    await this.#cluster.refresh();
    if (mayNameJobs) return this.#registry.metrics();
    const names = this.#registry.getMetricsAsArray().map(({ name }) => name);
    const shown = names.filter((name) => name !== jobMetricName);
    const texts = await Promise.all(
      shown.map((name) => this.#registry.getSingleMetricAsString(name)),
    );
    return `${texts.join('\n\n')}\n`;
  }
}

function nodeRows(view: NodeView): Parameters<typeof addReadMetrics>[1] {
  /** Before it has joined, there is no lease to show. */
  const ofLease = (ms: number) => (view.state() === 'joining' ? null : ms / 1_000);
  return {
    statecron_node_serving: [
      'One while the node claims and starts launches',
      () => Number(view.state() === 'live.serving'),
    ],
    statecron_lease_left_seconds: [
      'Until when this process may act; negative: it may no more',
      () => ofLease(view.leaseLeftMs()),
    ],
    statecron_session_silent_seconds: [
      'Since the last renewal that the database acknowledged',
      () => ofLease(view.silentMs()),
    ],
    statecron_clock_offset_seconds: [
      'The clock of the database less the clock of this host',
      () => {
        const offsetMs = view.clockOffsetMs();
        return offsetMs === null ? null : offsetMs / 1_000;
      },
    ],
    statecron_slots_held: [
      'Launches that this node has claimed and not ended',
      () => view.load().held,
    ],
    statecron_slots_capacity: ['How many it may hold', () => view.load().capacity],
    statecron_pool_running: [
      'Children that run on the threads of the pool',
      () => view.load().pool?.running ?? view.load().running,
    ],
    statecron_pool_threads: ['Threads that run children', () => view.load().pool?.threads ?? null],
    statecron_pool_places: ['How many children may run at once', () => view.load().concurrency],
    statecron_pool_queue: [
      'Launches whose tick has come and that wait for a place to run',
      () => Math.max(0, view.load().queueing),
    ],
    statecron_slot_actors: [
      'Actors of slots on this node, by the state of their machine',
      () => Object.entries(view.activity().slots),
      'state',
    ],
    statecron_transitions_total: [
      'Transitions that the actors of this node have taken; to: empty where the state stays',
      () =>
        view.activity().transitions.map(({ count, event, from, machine, to }) => {
          return [[machine, from, to ?? '', event], count] as const;
        }),
      ['machine', 'from', 'to', 'event'],
    ],
    statecron_guards_total: [
      'Answers of the guards of this node: whether they have allowed a transition',
      () =>
        view
          .activity()
          .guards.flatMap(({ allowed, guard, machine, refused }) => [
            [[machine, guard, 'allowed'], allowed] as const,
            [[machine, guard, 'refused'], refused] as const,
          ]),
      ['machine', 'guard', 'answer'],
    ],
    statecron_statements_total: [
      "Statements that the node's own work has sent to the database",
      () => view.load().statements,
    ],
  };
}

function hubRows(hub: () => HubCounts): Parameters<typeof addReadMetrics>[1] {
  const ended = 'Clients of the event stream that are gone; cut: they did not read';
  return {
    statecron_event_clients: ['Clients of the event stream', () => hub().clients],
    statecron_event_clients_ended_total: [ended, () => Object.entries(hub().ended), 'why'],
  };
}

/** `GET /metrics`. `isOpen`: without a token, so that whoever reaches the port sees job names. */
export function addMetricsRoute(api: Api, metrics: NodeMetrics, isOpen: boolean): void {
  const route = { ...metricsContract['GET /metrics'], role: isOpen ? 'anyone' : 'viewer' } as const;
  const handle = async (_: object, c: Context<ApiEnv>) => {
    const text = await metrics.text(isOpen || c.var.caller.groups === null);
    return c.body(text, 200, { 'content-type': metrics.contentType });
  };
  addRoutes(api, { 'GET /metrics': route }, { 'GET /metrics': handle }, '');
}
