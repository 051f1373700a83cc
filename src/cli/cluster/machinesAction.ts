import {
  findMachine,
  loadMachines,
  requireDrawing,
} from '../../http/routes/handling/machineFiles.ts';
import { printJson, printTable, writeOut } from '../output/print.ts';

/** `machines list`. */
export async function listMachinesAction(options: { json?: boolean }): Promise<void> {
  const machines = await loadMachines();
  const rows = machines.map(({ id, config }) => ({
    id,
    states: Object.keys(config.states ?? {}),
    description: config.description ?? '',
  }));
  if (options.json) printJson(rows);
  else {
    printTable(
      ['MACHINE', 'STATES', 'WHAT IT DOES'],
      rows.map(({ id, states, description }) => [id, states.join(' '), description]),
    );
  }
}

/** `machines show`. */
export async function showMachineAction(
  id: string,
  options: { format: 'mermaid' | 'svg' | 'json'; json?: boolean },
): Promise<void> {
  const machine = await findMachine(id);
  if (options.json || options.format === 'json') return printJson(machine.config);
  await writeOut(requireDrawing(machine, options.format));
}
