import type { machineContract } from '../contract/machineContract.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { findMachine, loadMachines, requireDrawing } from './handling/machineFiles.ts';

/** The live states stand at `/api/v1/machines/live`, to be added before. */
export const machineRoutes: Handlers<typeof machineContract> = {
  'GET /machines': async () => {
    const items = (await loadMachines()).map(({ id, config }) => ({
      id,
      states: Object.keys(config.states ?? {}),
      description: config.description ?? '',
    }));
    return { items };
  },
  'GET /machines/{machine}': async ({ machine }) => {
    const { id, config } = await findMachine(machine);
    // As JSON has it: what of a definition is code stands there by its name.
    return { ...JSON.parse(JSON.stringify(config)), id };
  },
  'GET /machines/{machine}/drawing': async ({ machine, format = 'svg' }, c) => {
    const bytes = new Uint8Array(requireDrawing(await findMachine(machine), format));
    const type = format === 'svg' ? 'image/svg+xml' : 'text/plain; charset=utf-8';
    // Its styles stand within it, and nothing else of it is wanted.
    const policy = "default-src 'none'; style-src 'unsafe-inline'";
    return c.body(bytes, 200, { 'content-type': type, 'content-security-policy': policy });
  },
};
