import type { EngineOptions, FaultEngine, FaultEngineName } from './faultEngine.ts';
import { startGalera } from './galera.ts';
import { startGroupReplication } from './groupReplication.ts';
import { startSingleServer } from './singleServer.ts';

/**
 * Starts an engine on loopback, its data in a temporary folder; its servers end with this process,
 * however that ends.
 *
 * @throws NotHereError when it cannot be had on this machine.
 */
export async function startFaultEngine(
  name: FaultEngineName,
  options: EngineOptions = {},
): Promise<FaultEngine> {
  switch (name) {
    case 'mariadb':
    case 'mysql':
      return await startSingleServer(name, options);
    case 'galera':
      return await startGalera(options);
    case 'group-replication':
      return await startGroupReplication(options);
  }
}
