import { Gauge, type Registry } from 'prom-client';

interface GaugeName {
  /** Without the prefix `statecron_`. */
  readonly name: string;
  readonly help: string;
}

/** Adds a gauge that is read at each scrape; null: it has no value yet, rather than a wrong one. */
export function addGauge(
  registry: Registry,
  { name, help }: GaugeName,
  read: () => number | null,
): void {
  new Gauge({
    name: `statecron_${name}`,
    help,
    registers: [registry],
    collect() {
      const value = read();
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

/** Adds a gauge that has, at each scrape, one series for each value of a label. */
export function addLabelledGauge(
  registry: Registry,
  { name, help, label }: GaugeName & { readonly label: string },
  read: () => Iterable<readonly [labelValue: string, value: number]>,
): void {
  new Gauge({
    name: `statecron_${name}`,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [labelValue, value] of read()) this.set({ [label]: labelValue }, value);
    },
  });
}
