import type { Command } from 'commander';
export function addMachinesCommand(program: Command, _setExitCode?: (code: number) => void): void {
  program.command('machines');
}
