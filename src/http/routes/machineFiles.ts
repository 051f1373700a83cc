import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { exitCodes, OperatorError } from '../../domain/errors.ts';

/** A machine as its module exports it; the drawings are named for its id. */
export interface MachineShown {
  readonly id: string;
  readonly config: { readonly description?: string; readonly states?: object };
}

/** The modules stand beside this one's room, as .ts in the sources and as .js when built. */
const modules = new URL('../../../statecharts/', import.meta.url);

let machines: Promise<readonly MachineShown[]> | null = null;

/** Every machine, by the names of its modules; read once. */
export function loadMachines(): Promise<readonly MachineShown[]> {
  machines ??= importMachines();
  return machines;
}

/** @throws OperatorError `machine_missing`. */
export async function findMachine(id: string): Promise<MachineShown> {
  const all = await loadMachines();
  const machine = all.find((candidate) => candidate.id === id);
  if (machine !== undefined) return machine;
  throw new OperatorError({
    code: 'machine_missing',
    message: `There is no machine ${JSON.stringify(id)}.`,
    hint: `Those that there are: ${all.map((each) => each.id).join(', ')}`,
  });
}

/**
 * The drawing of a machine that there is.
 * @throws OperatorError `drawing_missing`.
 */
export function readDrawing({ id }: MachineShown, format: 'mermaid' | 'svg'): Buffer {
  const file = `statecharts/${id}.${format === 'svg' ? 'svg' : 'mmd'}`;
  // Those of the sources stand beside them, those of a package at its root.
  for (const above of ['../../../', '../../../../']) {
    const url = new URL(`${above}${file}`, import.meta.url);
    if (existsSync(url)) return readFileSync(url);
  }
  throw new OperatorError({
    code: 'drawing_missing',
    message: `The drawing ${file} is not in this installation.`,
    hint: 'Install the package anew; in a checkout draw them with: npm run statecharts',
    exitCode: exitCodes.failed,
  });
}

async function importMachines(): Promise<readonly MachineShown[]> {
  const names = readdirSync(modules).filter((name) => /^[A-Za-z]+\.[jt]s$/.test(name));
  const found: MachineShown[] = [];
  for (const name of names.sort()) {
    const exports = (await import(new URL(name, modules).href)) as Record<string, unknown>;
    found.push(...Object.values(exports).filter(isMachine));
  }
  return found;
}

function isMachine(value: unknown): value is MachineShown {
  if (typeof value !== 'object' || value === null) return false;
  const { id, config } = value as Partial<MachineShown>;
  return typeof id === 'string' && typeof config === 'object';
}
