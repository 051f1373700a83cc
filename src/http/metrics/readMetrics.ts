import { Counter, Gauge, type Registry } from 'prom-client';

/** One value, or one for each value of a label, or of several; null: none yet, not a wrong one. */
type Reading = number | null | Iterable<readonly [labelValues: string | Labels, value: number]>;
type Labels = readonly string[];

/** What a metric says of itself, how it is read, and the labels that its values have. */
type MetricRow = readonly [help: string, read: () => Reading, labels?: string | Labels];

/** Adds metrics, by their names, that are read at each scrape; `…_total` is a counter. */
export function addReadMetrics(
  registry: Registry,
  rows: Readonly<Record<`statecron_${string}`, MetricRow>>,
): void {
  for (const [name, [help, read, labels = []]] of Object.entries(rows)) {
    const labelNames = [labels].flat();
    const collect = function (this: Counter | Gauge): void {
      this.reset();
      const value = read();
      if (value === null) this.remove();
      else if (typeof value === 'number') this.inc(value);
      else for (const [values, each] of value) this.inc(labelled(labelNames, values), each);
    };
    const Metric = name.endsWith('_total') ? Counter : Gauge;
    new Metric({ name, help, labelNames, registers: [registry], collect });
  }
}

function labelled(names: Labels, values: string | Labels): Record<string, string> {
  const each = [values].flat();
  return Object.fromEntries(names.map((name, place) => [name, each[place] ?? '']));
}
