import type { Command } from 'commander';
import { Actions, type SetExitCode } from '../connect/actions.ts';

/** `statecron doctor`. */
export function addDoctorCommand(program: Command, setExitCode: SetExitCode): void {
  const doctor = program
    .command('doctor')
    .description('Check this machine and the database, and say what to do.')
    .option('--fix', 'restore lock rows that are missing; stop all nodes first');
  const actions = new Actions(() => import('./doctorAction.ts'), setExitCode);
  const why = 'it looks at this machine and the database';
  actions.database(doctor, why, ofDoctor, (module) => module.doctorAction);
}

const ofDoctor = `
  $ statecron doctor
  $ statecron doctor --fix
Ends with 1 when a check fails, 69 when the database cannot be reached; warnings end with 0.`;

/** `statecron migrate`. */
export function addMigrateCommand(program: Command): void {
  const migrate = program
    .command('migrate')
    .description('Bring the schema up to this version; safe to run again, and by many at once.')
    .option('--check', 'change nothing; exit 1 when something is to be done');
  const actions = new Actions(() => import('./migrateAction.ts'));
  const why = 'nodes have no right to change tables';
  actions.database(migrate, why, ofMigrate, (module) => module.migrateAction);
}

const ofMigrate = `
  $ statecron migrate
  $ statecron migrate --check
It needs SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX and DROP on the database; all other
commands need the first four of these.`;
