import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { OperatorError } from '../../domain/errors/errors.ts';
import { whyNotOurs } from '../../domain/versions/whyNotOurs.ts';

/**
 * Makes a folder for this user alone; one that is there must be this user's, and nobody else's to
 * write to: what others put there would be taken for ours.
 * @throws OperatorError `data_folder_foreign` (78); what the system throws.
 */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await requireOurs(folder);
}

/** The same of a folder that is there. */
export async function requireOurs(folder: string): Promise<void> {
  const why = whyNotOurs(await stat(folder), process.getuid?.() ?? 0);
  if (why === null) return;
  throw new OperatorError({
    code: 'data_folder_foreign',
    message: `The data folder ${folder} cannot be trusted: ${why}.`,
    hint: `Look at what is in it, then: chmod 700 ${folder}; or give another one: STATECRON_DATA`,
    exitCode: 78,
  });
}

/** The text of a secret file, or null when there is none. */
export async function readOwnSecret(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes a secret file whole, for this user alone; nobody else can read it at any time. */
export async function writeOwnSecret(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}
