import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { exitCodes, OperatorError } from '../../../domain/errors/errors.ts';
import { didYouMean } from '../../../domain/text/didYouMean.ts';
import { packageFile, programFile } from '../../../shipped/shippedFiles.ts';

/** A machine as its module exports it, with its drawings. */
interface MachineShown {
  readonly id: string;
  readonly config: { readonly description?: string; readonly states?: object };
  /** Null: it is not in this installation. */
  readonly drawings: Readonly<Record<DrawingFormat, Buffer | null>>;
}

type DrawingFormat = 'mermaid' | 'svg';

/** As .ts in the sources and as .js when built. */
const modules = programFile('statecharts/');

let machines: Promise<readonly MachineShown[]> | null = null;

/**
 * Every machine, by the names of its modules. Read once, by a node before it serves: later the
 * files of another version may stand there, or none.
 */
export function loadMachines(): Promise<readonly MachineShown[]> {
  machines ??= readMachines().catch((error: unknown) => {
    machines = null;
    throw error;
  });
  return machines;
}

/** @throws OperatorError `machine_missing`. */
export async function findMachine(id: string): Promise<MachineShown> {
  const all = await loadMachines();
  const machine = all.find((candidate) => candidate.id === id);
  if (machine !== undefined) return machine;
  const names = all.map((each) => each.id);
  throw new OperatorError({
    code: 'machine_missing',
    message: `There is no machine ${JSON.stringify(id)}.${didYouMean(id, names)}`,
    hint: `Those that there are: ${names.join(', ')}`,
  });
}

/** @throws OperatorError `drawing_missing`. */
export function requireDrawing({ id, drawings }: MachineShown, format: DrawingFormat): Buffer {
  const drawing = drawings[format];
  if (drawing !== null) return drawing;
  throw new OperatorError({
    code: 'drawing_missing',
    message: `The drawing of ${id} is not in this installation.`,
    hint: 'Install the package anew; in a checkout draw them with: npm run statecharts',
    exitCode: exitCodes.failed,
  });
}

async function readMachines(): Promise<readonly MachineShown[]> {
  const names = readdirSync(modules).filter((name) => /^[A-Za-z]+\.[jt]s$/.test(name));
  const found: MachineShown[] = [];
  for (const name of names.sort()) {
    const exports = (await import(new URL(name, modules).href)) as Record<string, unknown>;
    for (const { id, config } of Object.values(exports).filter(isMachine)) {
      const drawings = { mermaid: readDrawing(`${id}.mmd`), svg: readDrawing(`${id}.svg`) };
      found.push({ id, config, drawings });
    }
  }
  return found;
}

function readDrawing(file: string): Buffer | null {
  const place = packageFile(`statecharts/${file}`);
  return existsSync(place) ? readFileSync(place) : null;
}

function isMachine(value: unknown): value is Omit<MachineShown, 'drawings'> {
  if (typeof value !== 'object' || value === null) return false;
  const { id, config } = value as Partial<MachineShown>;
  return typeof id === 'string' && typeof config === 'object';
}
