import { collectDefaultMetrics, Registry } from 'prom-client';
import type { NodeReports } from '../../actors/runtime/runtime.ts';
import type { NodeView } from '../../actors/view/nodeView.ts';
import type { GaugeReader } from '../../store/metrics/openGaugeReader.ts';
import type { HubCounts } from '../events/eventHub.ts';
import { jobMetricName } from './clusterMeters.ts';
import { ClusterMetrics } from './clusterMetrics.ts';
import { countReports } from './reportMetrics.ts';
import { gaugeView } from './viewMetrics.ts';

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
    collectDefaultMetrics({
      register: this.#registry,
      eventLoopMonitoringPrecision: lagStepMs,
    });
    this.#cluster = new ClusterMetrics({ ...parts, registry: this.#registry });
  }

  /** What the node's actors report to, in place of `reports`, which get the same. */
  count(reports: NodeReports): NodeReports {
    return countReports(this.#registry, reports);
  }

  /** Shows a node that is there by now. */
  show(view: NodeView, hub: () => HubCounts): void {
    gaugeView(this.#registry, view, hub);
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
