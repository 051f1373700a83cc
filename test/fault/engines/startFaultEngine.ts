import type { EngineOptions, FaultEngine, FaultEngineName } from './faultEngine.ts';

/**
 * Starts an engine on loopback, its data in a temporary folder; its servers end with this process,
 * however that ends.
 *
 * @throws NotHereError when it cannot be had on this machine.
 */
export async function startFaultEngine(
  name: FaultEngineName,
  _options: EngineOptions = {},
): Promise<FaultEngine> {
  throw new Error(`not yet: ${name}`);
}
