import { exitCodes } from '../../domain/errors/errors.ts';
import { databaseFault } from '../../store/connection/databaseFault.ts';
import type { Check } from '../../store/doctor/doctorCheck.ts';
import { checkDatabase } from '../../store/doctor/doctorChecks.ts';
import { packageVersion } from '../connect/packageFolder.ts';
import { readDatabase } from '../connect/readDatabase.ts';
import { withChannel } from '../connect/withChannel.ts';
import type { DatabaseOptions } from '../options/databaseOptions.ts';
import { secretFilesOf } from '../options/givenDatabase.ts';
import { printJson, printLine, printTable } from '../output/print.ts';
import { checkMachine } from './checkMachine.ts';

/** `doctor`: resolves to the exit code. */
export async function doctorAction(
  options: DatabaseOptions & { json?: boolean; fix?: boolean },
): Promise<number> {
  const address = await readDatabase(options);
  const checks: Check[] = await checkMachine(secretFilesOf(options));
  let isAway = false;
  try {
    const isLocal = address.options.socketPath !== undefined;
    const found = await withChannel(address, (channel) =>
      checkDatabase(channel, {
        isFixing: options.fix === true,
        isLocal,
        version: packageVersion(),
      }),
    );
    checks.push(...found);
  } catch (error) {
    const fault = databaseFault(error);
    if (fault === null) throw error;
    isAway = fault.exitCode === exitCodes.databaseAway;
    checks.push({ check: 'database', status: 'fail', message: fault.message, hint: fault.hint });
  }
  const failed = checks.filter(({ status }) => status === 'fail').length;
  if (options.json) printJson({ database: address.shown, failed, checks });
  else printChecks(address.shown, checks, failed);
  if (isAway) return exitCodes.databaseAway;
  return failed > 0 ? exitCodes.failed : exitCodes.ok;
}

const words = { ok: 'ok', warn: 'warn', fail: 'FAIL' } as const;

function printChecks(shown: string, checks: readonly Check[], failed: number): void {
  printLine(`Database: ${shown}`);
  printTable(
    ['', 'CHECK', 'WHAT'],
    checks.flatMap(({ check, status, message, hint }) => [
      [words[status], check, message],
      ...(status === 'ok' || hint === null ? [] : [['', '', `→ ${hint}`]]),
    ]),
  );
  printLine(failed === 0 ? 'Nothing fails.' : `${failed} of ${checks.length} checks fail.`);
}
