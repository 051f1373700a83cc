import type { FaultKind } from '../world/faultWorld.ts';
import { apiFaults } from './apiFaults.ts';
import { clockFaults } from './clockFaults.ts';
import { databaseFaults, memberFaults } from './databaseFaults.ts';
import { lineFaults } from './lineFaults.ts';
import { lockFaults } from './lockFaults.ts';
import { operationFaults } from './operationFaults.ts';
import { processFaults } from './processFaults.ts';
import { serverFaults } from './serverFaults.ts';
import { spoolFaults } from './spoolFaults.ts';
import { statementFaults } from './statementFaults.ts';
import { watcherFaults } from './watcherFaults.ts';

/** Kinds that touch the same. */
export interface FaultGroup {
  readonly title: string;
  readonly kinds: readonly FaultKind[];
}

/** Every kind of fault by what it touches, made anew for each run, as some take turns. */
export function faultGroups(): FaultGroup[] {
  return [
    { title: 'Statements of a node', kinds: statementFaults() },
    { title: 'Statements of an operation', kinds: operationFaults() },
    { title: 'Network of a node', kinds: lineFaults() },
    { title: 'Processes of a node', kinds: processFaults() },
    { title: 'Watchers of a node', kinds: watcherFaults() },
    { title: 'Database server', kinds: [...databaseFaults(), ...serverFaults()] },
    { title: 'Members of a cluster of databases', kinds: memberFaults() },
    { title: 'Locks', kinds: lockFaults() },
    { title: 'Clocks', kinds: clockFaults() },
    { title: 'Disk', kinds: spoolFaults() },
    { title: 'Network of the API', kinds: apiFaults() },
  ];
}

/** Every kind of fault. */
export const faultKinds = (): FaultKind[] => faultGroups().flatMap(({ kinds }) => [...kinds]);
