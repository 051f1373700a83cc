import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { exitCodes, OperatorError } from '../../../domain/errors/errors.ts';
import { didYouMean } from '../../../domain/text/didYouMean.ts';
import { packageFile, programFile } from '../../../shipped/shippedFiles.ts';

/** A machine as its module exports it. */
interface MachineShown {
  readonly id: string;
  readonly config: { readonly description?: string; readonly states?: object };
}

type DrawingFormat = 'mermaid' | 'svg';

interface MachineFiles {
  readonly machines: readonly MachineShown[];
  /** By what is drawn; null: it is not in this installation. */
  readonly drawings: ReadonlyMap<string, Readonly<Record<DrawingFormat, Buffer | null>>>;
}

/** Drawings that are not of a machine: the actors and their messages, and a slot's lifecycle. */
const overviews = ['actors', 'lifecycle'];

/** As .ts in the sources and as .js when built. */
const modules = programFile('statecharts/');

let loaded: Promise<MachineFiles> | null = null;

/**
 * Every machine, by the names of its modules. Read once, by a node before it serves: later the
 * files of another version may stand there, or none.
 */
export async function loadMachines(): Promise<readonly MachineShown[]> {
  return (await load()).machines;
}

/** @throws OperatorError `machine_missing`. */
export async function findMachine(id: string): Promise<MachineShown> {
  const { machines } = await load();
  const machine = machines.find((candidate) => candidate.id === id);
  if (machine !== undefined) return machine;
  throw machineMissing(
    id,
    machines.map((each) => each.id),
  );
}

/**
 * The drawing of a machine, of the `actors` or of the `lifecycle`.
 * @throws OperatorError `machine_missing`, `drawing_missing`.
 */
export async function findDrawing(id: string, format: DrawingFormat): Promise<Buffer> {
  const { drawings } = await load();
  const found = drawings.get(id);
  if (found === undefined) throw machineMissing(id, [...drawings.keys()]);
  const drawing = found[format];
  if (drawing !== null) return drawing;
  throw new OperatorError({
    code: 'drawing_missing',
    message: `The drawing of ${id} is not in this installation.`,
    hint: 'Install the package anew; in a checkout draw them with: npm run statecharts',
    exitCode: exitCodes.failed,
  });
}

function machineMissing(id: string, names: readonly string[]): OperatorError {
  return new OperatorError({
    code: 'machine_missing',
    message: `There is no machine ${JSON.stringify(id)}.${didYouMean(id, names)}`,
    hint: `Those that there are: ${names.join(', ')}`,
  });
}

function load(): Promise<MachineFiles> {
  loaded ??= readMachines().catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

async function readMachines(): Promise<MachineFiles> {
  const names = readdirSync(modules).filter((name) => /^[A-Za-z]+\.[jt]s$/.test(name));
  const machines: MachineShown[] = [];
  for (const name of names.sort()) {
    const exports = (await import(new URL(name, modules).href)) as Record<string, unknown>;
    for (const { id, config } of Object.values(exports).filter(isMachine)) {
      machines.push({ id, config });
    }
  }
  const drawn = [...overviews, ...machines.map(({ id }) => id)];
  const drawings = drawn.map((id) => {
    const files = { mermaid: readDrawing(`${id}.mmd`), svg: readDrawing(`${id}.svg`) };
    return [id, files] as const;
  });
  return { machines, drawings: new Map(drawings) };
}

function readDrawing(file: string): Buffer | null {
  const place = packageFile(`statecharts/${file}`);
  return existsSync(place) ? readFileSync(place) : null;
}

function isMachine(value: unknown): value is MachineShown {
  if (typeof value !== 'object' || value === null) return false;
  const { id, config } = value as Partial<MachineShown>;
  return typeof id === 'string' && typeof config === 'object';
}
