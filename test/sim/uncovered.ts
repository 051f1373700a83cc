import { arrows } from '../../src/domain/run/arrows.ts';
import { chartedMachines } from '../statecharts/chartedMachines.ts';
import { rulesFor } from '../statecharts/ignoredEvents.ts';
import { transitionKeysOf } from './chartCoverage.ts';
import { notSimulated } from './notSimulated.ts';
import type { SimTotals } from './simTotals.ts';
import { arrowKey } from './store/transaction.ts';

/**
 * The arrows and transitions that a simulation could have taken and never did, and the events that
 * came where the charts say that they never do.
 */
export function uncovered({
  arrows: committed,
  taken,
  ignored,
}: Pick<SimTotals, 'arrows' | 'taken' | 'ignored'>) {
  const wanted = arrows.flatMap(({ name, from }) => from.map((state) => arrowKey(name, state)));
  const charted = chartedMachines.flatMap(transitionKeysOf);
  return {
    arrows: wanted.filter((key) => committed[key] === undefined),
    transitions: charted.filter((key) => taken[key] === undefined && !(key in notSimulated)),
    charted: charted.length,
    unexpected: Object.keys(ignored).filter((key) => {
      const [state = '', event = ''] = key.split(' ');
      return !rulesFor(state, event).some(({ comes }) => comes);
    }),
  };
}
