import { Argument, type Command } from 'commander';
import { addExamples } from '../options/databaseOptions.ts';
import { templates } from './printTemplate.ts';

/** `statecron print`: files for whoever runs nodes. */
export function addPrintCommand(program: Command): void {
  const print = program
    .command('print')
    .description('Print a file for running nodes: for systemd, Docker, Prometheus or Grafana.')
    .addArgument(new Argument('<what>').choices(Object.keys(templates)));
  addExamples(
    print,
    `
  $ statecron print unit >/etc/systemd/system/statecron.service
  $ statecron print dockerfile >Dockerfile && statecron print compose >compose.yaml
  $ statecron print alerts >/etc/prometheus/statecron-alerts.yaml
  $ statecron print dashboard >statecron-dashboard.json      to be imported into Grafana
The first lines of each say what else it takes.`,
  );
  print.action(async (what: keyof typeof templates) => {
    const [{ printTemplate }, { writeOut }] = await Promise.all([
      import('./printTemplate.ts'),
      import('../output/print.ts'),
    ]);
    await writeOut(printTemplate(what));
  });
}
