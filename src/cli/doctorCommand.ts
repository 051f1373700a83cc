import type { Command } from 'commander';
export function addDoctorCommand(program: Command, _setExitCode?: (code: number) => void): void {
  program.command('doctor');
}
