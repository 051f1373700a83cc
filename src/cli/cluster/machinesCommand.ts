import { type Command, Option } from 'commander';
import { addExamples, addJsonOption } from '../options/databaseOptions.ts';

/** `statecron machines …`: the statecharts that a node runs, to be looked at. */
export function addMachinesCommand(program: Command): void {
  const machines = program
    .command('machines')
    .description('List and draw the statecharts that a node runs.');
  addExamples(
    machines,
    '  $ statecron machines list\n  $ statecron machines show slot --format svg > slot.svg',
  );

  const list = machines.command('list').description('List the machines.');
  addJsonOption(list);
  addExamples(list, '  $ statecron machines list');
  list.action(async (options) => {
    const { listMachinesAction } = await import('./machinesAction.ts');
    await listMachinesAction(options);
  });

  const show = machines
    .command('show <id>')
    .description('Print one machine: its drawing as Mermaid text or SVG, or its configuration.')
    .addOption(
      new Option('--format <format>', 'how')
        .choices(['mermaid', 'svg', 'json'])
        .default('mermaid')
        .conflicts('json'),
    );
  addJsonOption(show);
  addExamples(
    show,
    `
  $ statecron machines show slot
  $ statecron machines show node --format svg > node.svg
  $ statecron machines show scheduler --format json   # paste into Stately Studio`,
  );
  show.action(async (id, options) => {
    const { showMachineAction } = await import('./machinesAction.ts');
    await showMachineAction(id, options);
  });
}
