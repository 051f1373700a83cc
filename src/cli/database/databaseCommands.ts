import type { Command } from 'commander';
import { Actions, type SetExitCode } from '../connect/actions.ts';

/** `statecron doctor`. */
export function addDoctorCommand(program: Command, setExitCode: SetExitCode): void {
  const doctor = program
    .command('doctor')
    .description('Check this machine and the database, and say what to do.')
    .option('--fix', 'restore lock rows that are missing; stop all nodes before');
  new Actions(() => import('./doctorAction.ts'), setExitCode).database(
    doctor,
    'it looks at this machine and the database',
    `
  $ statecron doctor
  $ statecron doctor --fix
Ends with 1 when a check fails, 69 when the database cannot be reached; warnings end with 0.`,
    (module) => module.doctorAction,
  );
}

/** `statecron migrate`. */
export function addMigrateCommand(program: Command): void {
  const migrate = program
    .command('migrate')
    .description('Bring the schema up to this version; safe to run again, and by many at once.')
    .option('--check', 'change nothing; exit 1 when something is to be done');
  new Actions(() => import('./migrateAction.ts')).database(
    migrate,
    'nodes have no right to change tables',
    `
  $ statecron migrate
  $ statecron migrate --check
This alone needs CREATE, ALTER, INDEX and DROP on the database; all else does with SELECT,
INSERT, UPDATE and DELETE.`,
    (module) => module.migrateAction,
  );
}
