import { findDrawing, findMachine, loadMachines } from '../../http/routes/handling/machineFiles.ts';
import { printJson, writeOut } from '../output/print.ts';
import { printTable } from '../output/table/printTable.ts';

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
      [
        { heading: 'MACHINE', of: ({ id }) => id },
        { heading: 'STATES', of: ({ states }) => states.join(' '), wrapTo: 16 },
        { heading: 'WHAT IT DOES', of: ({ description }) => description, wrapTo: 24 },
      ],
      rows,
    );
  }
}

/** `machines show`. */
export async function showMachineAction(
  id: string,
  options: { format: 'mermaid' | 'svg' | 'json'; json?: boolean },
): Promise<void> {
  if (!options.json && options.format !== 'json')
    return await writeOut(await findDrawing(id, options.format));
  printJson((await findMachine(id)).config);
}
