import type { Command } from 'commander';
import { refuseUrl } from '../options/clusterOptions.ts';
import { addDatabaseOptions, addExamples, addJsonOption } from '../options/databaseOptions.ts';
import type { SetExitCode } from '../output/setExitCode.ts';

/** `statecron doctor`. */
export function addDoctorCommand(program: Command, setExitCode: SetExitCode): void {
  const doctor = program
    .command('doctor')
    .description('Check this machine and the database, and say what to do.')
    .option('--fix', 'restore lock rows that are missing; stop all nodes before');
  addJsonOption(refuseUrl(addDatabaseOptions(doctor), 'it looks at this machine and the database'));
  addExamples(
    doctor,
    `
  $ statecron doctor
  $ statecron doctor --fix
Ends with 1 when a check fails, 69 when the database cannot be reached; warnings end with 0.`,
  );
  doctor.action(async (options) => {
    const { doctorAction } = await import('./doctorAction.ts');
    setExitCode(await doctorAction(options));
  });
}
