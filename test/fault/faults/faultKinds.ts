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

/** Every kind of fault, made anew for each run, as some take turns. */
export function faultKinds(): FaultKind[] {
  return [
    ...statementFaults(),
    ...operationFaults(),
    ...lineFaults(),
    ...processFaults(),
    ...watcherFaults(),
    ...databaseFaults(),
    ...memberFaults(),
    ...serverFaults(),
    ...lockFaults(),
    ...clockFaults(),
    ...spoolFaults(),
    ...apiFaults(),
  ];
}
