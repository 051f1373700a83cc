import { type Command, CommanderError } from 'commander';
import { exitCodes } from '../domain/errors/errors.ts';
import { addAccessCommands } from './access/accessCommands.ts';
import { addBackupCommands } from './backup/backupCommands.ts';
import {
  addClusterCommand,
  addMachinesCommand,
  addVerifyCommand,
} from './cluster/clusterCommands.ts';
import type { SetExitCode } from './connect/actions.ts';
import { packageVersion } from './connect/packageFolder.ts';
import { addDoctorCommand, addMigrateCommand } from './database/databaseCommands.ts';
import { addDocsCommand } from './docs/docsCommand.ts';
import { addFileCommands } from './jobFile/fileCommands.ts';
import { addBackfillCommand, addJobCommand } from './jobs/jobCommand.ts';
import { addNodeCommand, addUpCommand } from './node/nodeCommand.ts';
import { addNotifyCommand } from './notifications/notifyCommand.ts';
import { addObserveCommand } from './observe/observeCommand.ts';
import { CliCommand } from './options/cliCommand.ts';
import { reportFault } from './output/reportFault.ts';
import { addPrintCommand } from './print/printCommand.ts';
import { addRunCommand, addRunsCommand } from './runs/runCommands.ts';
import { addNextCommand } from './schedule/nextCommand.ts';

/**
 * Runs one command line and resolves to its exit code. Each command's work is in a module of its
 * own that is loaded only when it is run: `--help` and `next` load no database driver.
 */
export async function runProgram(args: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.ok;
  const isJson = args.slice(0, endOfFlags(args)).includes('--json');
  const program = makeProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    return reportFault(error, isJson);
  }
}

/** The commands of the command line; `setExitCode` gets what one that succeeded ends with. */
export function makeProgram(setExitCode: SetExitCode): Command {
  const program = new CliCommand('statecron');
  program
    .description('Cron for more than one machine, on the MariaDB or MySQL that you already run.')
    .version(packageVersion(), '-V, --version')
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ showGlobalOptions: true })
    .enablePositionalOptions()
    .addHelpText('after', overview);
  addUpCommand(program, setExitCode);
  addNodeCommand(program, setExitCode);
  addJobCommand(program, setExitCode);
  addRunsCommand(program);
  addRunCommand(program, setExitCode);
  addBackfillCommand(program);
  addFileCommands(program);
  addNextCommand(program, setExitCode);
  addClusterCommand(program);
  addAccessCommands(program);
  addNotifyCommand(program);
  addDoctorCommand(program, setExitCode);
  addVerifyCommand(program, setExitCode);
  addObserveCommand(program, setExitCode);
  addMigrateCommand(program);
  addBackupCommands(program);
  addMachinesCommand(program);
  addPrintCommand(program);
  addDocsCommand(program);
  return program;
}

function endOfFlags(args: readonly string[]): number {
  const end = args.indexOf('--');
  return end === -1 ? args.length : end;
}

const overview = `
Begin:
  $ statecron up                                    database, schema and a node in one
  $ statecron job add hello --cron '* * * * *' --command 'echo hello'
  $ statecron runs                                  what ran, newest first
  $ statecron run log LAUNCH_ID                     what it printed

In production, each machine runs a node on your own MariaDB or MySQL:
  $ export STATECRON_DATABASE_URL_FILE=/etc/statecron/database-url
  $ statecron migrate && statecron doctor
  $ statecron node --capacity 200 --concurrency 20

The database, the first that is given:
  --database-url URL, --database-url-file FILE
  STATECRON_DATABASE_URL, STATECRON_DATABASE_URL_FILE (a file with the URL)
  DATABASE_URL, DATABASE_URL_FILE
  else the private one of a running "statecron up" (its folder: STATECRON_DATA)
The password may stand apart: --database-password-file or STATECRON_DATABASE_PASSWORD_FILE.
  mysql://USER:PASSWORD@HOST:3306/DATABASE?ssl=identity&sslCa=/etc/ssl/ca.pem

Or a node's API, for every command that is about a cluster; a flag wins over any variable:
  --url http://HOST:PORT or STATECRON_URL, https with --tls-ca FILE or STATECRON_TLS_CA
  its token: --token-file FILE, STATECRON_TOKEN_FILE or STATECRON_TOKEN (see statecron token)

Exit codes: 0 done, 1 failed, 2 usage, 69 database or node away, 75 fenced or try again,
78 configuration. With --json data is JSON on stdout, a fault {"error":{…}} on stderr.`;
