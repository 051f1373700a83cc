import { Counter, Gauge, type Registry } from 'prom-client';

/** One value, or one for each value of a label; null: none yet, rather than a wrong one. */
type Reading = number | null | Iterable<readonly [labelValue: string, value: number]>;

/** What a metric says of itself, how it is read, and the label that its values have. */
type MetricRow = readonly [help: string, read: () => Reading, label?: string];

/** Adds metrics, by their names, that are read at each scrape; `…_total` is a counter. */
export function addReadMetrics(
  registry: Registry,
  rows: Readonly<Record<`statecron_${string}`, MetricRow>>,
): void {
  for (const [name, [help, read, label = '']] of Object.entries(rows)) {
    const collect = function (this: Counter | Gauge): void {
      this.reset();
      const value = read();
      if (value === null) this.remove();
      else if (typeof value === 'number') this.inc(value);
      else for (const [labelValue, each] of value) this.inc({ [label]: labelValue }, each);
    };
    const Metric = name.endsWith('_total') ? Counter : Gauge;
    const labelNames = label === '' ? [] : [label];
    new Metric({ name, help, labelNames, registers: [registry], collect });
  }
}
