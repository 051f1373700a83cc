import { Counter, Gauge, type Registry } from 'prom-client';
import type { NodeView } from '../../actors/view/nodeView.ts';
import type { HubCounts } from '../events/eventHub.ts';
import { addGauge, addLabelledGauge } from './addGauge.ts';

/** Shows the node itself; everything is read when somebody scrapes. */
export function gaugeView(registry: Registry, view: NodeView, hub: () => HubCounts): void {
  const gauge = (name: string, help: string, read: () => number | null): void =>
    addGauge(registry, { name, help }, read);
  new Gauge({
    name: 'statecron_node_info',
    help: 'One, with what the node is called',
    labelNames: ['node', 'version'],
    registers: [registry],
  }).set({ node: view.nodeName, version: view.version }, 1);
  gauge('node_serving', 'One while the node claims and starts launches', () =>
    view.state() === 'live.serving' ? 1 : 0,
  );
  gauge('lease_left_seconds', 'Until when this process may act; negative: it may no more', () =>
    hasJoined(view) ? view.leaseLeftMs() / 1_000 : null,
  );
  gauge('session_silent_seconds', 'Since the last renewal that the database acknowledged', () =>
    hasJoined(view) ? view.silentMs() / 1_000 : null,
  );
  gauge('clock_offset_seconds', 'The clock of the database less the clock of this host', () =>
    secondsOf(view.clockOffsetMs()),
  );
  gauge('slots_held', 'Launches that this node has claimed and not ended', () => view.load().held);
  gauge('slots_capacity', 'How many it may hold', () => view.load().capacity);
  gauge('pool_running', 'Children that run on the threads of the pool', () => {
    const { pool, running } = view.load();
    return pool?.running ?? running;
  });
  gauge('pool_threads', 'Threads that run children', () => view.load().pool?.threads ?? null);
  gauge('pool_places', 'How many children may run at once', () => view.load().concurrency);
  gauge('pool_queue', 'Launches whose tick has come and that wait for a place to run', () =>
    Math.max(0, view.load().queueing),
  );
  const help = 'Actors of slots on this node, by the state of their machine';
  addLabelledGauge(registry, { name: 'slot_actors', help, label: 'state' }, () =>
    Object.entries(view.machines().slots),
  );
  countStatements(registry, view);
  gauge('event_clients', 'Clients of the event stream', () => hub().clients);
  countEndedClients(registry, hub);
}

/** Before it has joined, there is no lease to show. */
function hasJoined(view: NodeView): boolean {
  return view.state() !== 'joining';
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : ms / 1_000;
}

function countStatements(registry: Registry, view: NodeView): void {
  new Counter({
    name: 'statecron_statements_total',
    help: "Statements that the node's own work has sent to the database",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(view.load().statements);
    },
  });
}

function countEndedClients(registry: Registry, hub: () => HubCounts): void {
  new Counter({
    name: 'statecron_event_clients_ended_total',
    help: 'Clients of the event stream that are gone; cut: they did not read',
    labelNames: ['why'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [why, count] of Object.entries(hub().ended)) this.inc({ why }, count);
    },
  });
}
