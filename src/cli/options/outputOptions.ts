import { existsSync } from 'node:fs';
import path from 'node:path';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { journalSocket } from '../../exec/output/journalHelper.ts';
import { makeOutputFolder, type OutputSettings } from '../../exec/output/outputFolder.ts';
import { custom, type FlagsOf, nodeFault, size, toggle } from './optionTable.ts';

const [KiB, MiB, GiB] = [1024, 1024 ** 2, 1024 ** 3];

/** Whether and where a node keeps the whole output of its runs. */
export const outputOptions = {
  outputFiles: custom('folder', 'write the whole output of each run to a file in this folder'),
  outputFileMax: size('how large one of these files gets', [KiB, 1024 * GiB], 64 * MiB),
  outputFilesMax: size(
    'how large all of them get, before the oldest go',
    [MiB, 1024 * 1024 * GiB],
    10 * GiB,
  ),
  outputJournald: toggle('send each line of them to journald, with the job and the launch'),
};

export type OutputFlags = FlagsOf<typeof outputOptions>;

/** Its column takes no more. */
const folderCharactersMax = 400;

/**
 * Where whole outputs go.
 * @throws OperatorError (2) that names the flag.
 */
export function readOutputs(flags: OutputFlags): OutputSettings {
  return { files: readFiles(flags), isJournaled: flags.outputJournald === true };
}

function readFiles(flags: OutputFlags): OutputSettings['files'] {
  const { outputFileMax: fileBytesMax, outputFiles, outputFilesMax: totalBytesMax } = flags;
  if (outputFiles === undefined) return null;
  const folder = path.resolve(outputFiles);
  if (outputFiles === '' || folder.length > folderCharactersMax || /\p{Cc}/u.test(folder)) {
    throw nodeFault(`--output-files: a folder of at most ${folderCharactersMax} characters.`);
  }
  if (fileBytesMax > totalBytesMax) {
    throw nodeFault('--output-file-max: one file cannot be larger than --output-files-max.');
  }
  return { folder, fileBytesMax, totalBytesMax };
}

/**
 * Makes the folder, and sees whether there is a journal, while nothing runs yet.
 * @throws OperatorError `output_files`, `output_journald` (78).
 */
export async function requireOutputs({ files, isJournaled }: OutputSettings): Promise<void> {
  if (isJournaled && !existsSync(journalSocket)) throw withoutJournal();
  if (files === null) return;
  try {
    await makeOutputFolder(files.folder);
  } catch (cause) {
    throw new OperatorError({
      code: 'output_files',
      message: `--output-files: ${(cause as Error).message}.`,
      hint: `Make it for the user of the node alone: install -d -m 700 -o USER ${files.folder}`,
      exitCode: exitCodes.configuration,
      cause,
    });
  }
}

function withoutJournal(): OperatorError {
  return new OperatorError({
    code: 'output_journald',
    message: `--output-journald: there is no journald on this machine (${journalSocket}).`,
    hint: 'Leave it out, or write files: --output-files FOLDER',
    exitCode: exitCodes.configuration,
  });
}
