import { arrows } from '../../src/domain/arrows.ts';
import { chartedMachines } from '../statecharts/chartedMachines.ts';
import { transitionKeysOf } from './chartCoverage.ts';
import { notSimulated } from './notSimulated.ts';
import type { SimTotals } from './simTotals.ts';
import { arrowKey } from './store/transaction.ts';

/** The arrows and transitions that a simulation could have taken and never did. */
export function uncovered({ arrows: committed, taken }: Pick<SimTotals, 'arrows' | 'taken'>) {
  const wanted = arrows.flatMap(({ name, from }) => from.map((state) => arrowKey(name, state)));
  const charted = chartedMachines.flatMap(transitionKeysOf);
  return {
    arrows: wanted.filter((key) => committed[key] === undefined),
    transitions: charted.filter((key) => taken[key] === undefined && !(key in notSimulated)),
    charted: charted.length,
  };
}
