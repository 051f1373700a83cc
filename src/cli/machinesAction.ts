import { readdirSync, readFileSync } from 'node:fs';
import { exitCodes, OperatorError } from '../domain/errors.ts';
import { packageFolder } from './packageFolder.ts';
import { printJson, printTable, writeOut } from './print.ts';

/** A machine as its module exports it; the drawings are named for its id. */
interface Machine {
  readonly id: string;
  readonly config: { readonly description?: string; readonly states?: object };
}

/** The modules stand beside this one's room, as .ts in the sources and as .js when built. */
const modules = new URL('../../statecharts/', import.meta.url);

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
  const machines = await loadMachines();
  const machine = machines.find((candidate) => candidate.id === id);
  if (machine === undefined) {
    throw new OperatorError({
      code: 'machine_missing',
      message: `There is no machine ${JSON.stringify(id)}.`,
      hint: `Those that there are: ${machines.map((each) => each.id).join(', ')}`,
    });
  }
  if (options.json || options.format === 'json') return printJson(machine.config);
  await writeOut(readDrawing(id, options.format));
}

async function loadMachines(): Promise<Machine[]> {
  const names = readdirSync(modules).filter((name) => /^[A-Za-z]+\.[jt]s$/.test(name));
  const found: Machine[] = [];
  for (const name of names.sort()) {
    const exports = (await import(new URL(name, modules).href)) as Record<string, unknown>;
    found.push(...Object.values(exports).filter(isMachine));
  }
  return found;
}

function isMachine(value: unknown): value is Machine {
  if (typeof value !== 'object' || value === null) return false;
  const { id, config } = value as Partial<Machine>;
  return typeof id === 'string' && typeof config === 'object';
}

function readDrawing(id: string, format: 'mermaid' | 'svg'): Buffer {
  const file = `statecharts/${id}.${format === 'svg' ? 'svg' : 'mmd'}`;
  try {
    return readFileSync(new URL(file, packageFolder()));
  } catch (cause) {
    throw new OperatorError({
      code: 'drawing_missing',
      message: `The drawing ${file} is not in this installation.`,
      hint: 'Install the package anew; in a checkout draw them with: npm run statecharts',
      exitCode: exitCodes.failed,
      cause,
    });
  }
}
