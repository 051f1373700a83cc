import type { Launch } from '../../src/domain/run/launch.ts';
import type { TestNode } from '../support/testNode.ts';

/** A command line, what it reads where it says `-`, what else stands in its environment. */
export interface ScriptCommand {
  readonly args: readonly string[];
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What the one node of the cluster does between two commands. */
type NodeStep = (node: TestNode) => Promise<void>;

const file = `jobs:
  a b/c%ü:
    cron: '@daily'
    command: echo "$A"
    env: { A: '1', B: 'x=y' }
    retries: 3
    retry-delay: 5s
    timeout: 90s
  tidy:
    cron: ['0 3 * * *', '@every 2400h']
    command: 'true'
    after: ['a b/c%ü:failure']
    tag: [x, y]
`;
const onceFile = 'jobs:\n  once:\n    cron: "@manual"\n    command: "true"\n';
// By name, as the database writes them; a node's API writes them as they stand.
const crontab = '# tidy\n0 3 * * * theirs\n# wake\n@daily x\n';
const others = '# theirs\n0 3 * * * theirs\n';
const year = ['--from', '2020-01-01T00:00:00Z', '--to', '2021-01-03T00:00:00Z'];
const days = ['--from', '2020-01-01T00:00:00Z', '--to', '2020-01-03T00:00:00Z'];
const odd = 'a b/c%ü';

/**
 * Every command that asks a cluster, with every flag of its own, refusals, warnings and tables as
 * well as data. Each sees what those before it did.
 */
export const commandScript: readonly (ScriptCommand | NodeStep)[] = [
  ...commands(['job list'], ['runs'], ['token list'], ['notify list'], ['limit list'], ['verify']),
  reads(file, 'apply', '-', '--dry-run'),
  reads(file, 'apply', '-'),
  reads(file, 'apply', '-', '--json'),
  ...jobs(),
  ...runs(),
  ...nodes(),
  ...files(),
  ...tokens(),
  ...notifications(),
  ...commands(['verify'], ['verify --json'], ['verify --since 1h --job', 'once']),
  ...commands(['verify --job nobody']),
];

function jobs(): ScriptCommand[] {
  const secret = { SECRET_TOKEN: 'longer than six' };
  return [
    ...commands(['job show', odd], ['job edit', odd, '--env', 'A=2', '--no-retries', '--json']),
    ...commands(
      ['job edit', odd, '--env', 'A=2', '--unset-env', 'B'],
      ['job show --json --timezone Asia/Tokyo', odd],
    ),
    ...commands(['job edit', odd, '--env', 'A=2'], ['job edit', odd, '--cron', '61 * * * *']),
    ...commands(['job add tidy --cron @daily --command true --json'], ['job edit nobody --nice 5']),
    ...commands(['job add once --cron @manual --command true --on-fence finish']),
    ...commands(['job list --json'], ['job list b/c --limit 1'], ['job list --tag x --group web']),
    ...commands(['job list --tag x --wide'], ['job show nobody --json'], ['job pause tidy']),
    ...commands(['job list --node w1 --stats'], ['job list --state paused --stats --json']),
    ...commands(['upcoming --within 1h --wide'], ['upcoming --within 200d --group nobody']),
    ...commands(
      ['upcoming --within 400d'],
      ['upcoming --json --timezone UTC'],
      ['upcoming --within 200d --limit 3 --all-ticks'],
    ),
    ...commands(['job list --failed'], ['job list --node w3']),
    ...commands(['job pause tidy --until 2090-01-01T00:00:00Z --json'], ['job resume nobody']),
    ...commands(['job pause tidy --until 2090-01-01T00:00:00Z'], ['job skip-next tidy']),
    ...commands(['job resume tidy --json'], ['job resume tidy']),
    ...commands(['job skip-next --count 2', odd], ['job skip-next --json', odd]),
    { args: everyWord(), env: secret },
    ...commands(['job show every'], ['job show every --json'], ['export --group ours']),
    ...commands(['job edit every --unset-env SECRET_TOKEN'], ['job edit every --secret-env OTHER']),
    ...commands(['job add apart --cron @daily --command true --kind every-node --json']),
    ...commands(['job remove every'], ['job remove every'], ['job remove apart --json']),
    ...commands(['job add rests --cron @daily --command true --paused'], ['job resume rests']),
    ...commands(['job edit rests --cron @weekly --json'], ['job remove rests']),
    ...commands(['job add seen --cron @daily --command true --observed --group seen']),
    ...commands(['job list --group seen'], ['job show seen'], ['job go-live']),
    ...commands(['job go-live --all'], ['job go-live --all --yes']),
    ...commands(['job edit seen --observed'], ['job go-live --group seen --json --dry-run']),
    ...commands(['job go-live --all --expect 9'], ['job go-live --group seen --json --expect 1']),
    ...commands(['job go-live seen'], ['job go-live nobody'], ['job go-live --group nobody']),
    reads('', ...words('observe report --since 1h --cron-log -')),
    reads('', ...words('observe report --cron-log - --json --since 1h')),
    ...commands(['job observe --all'], ['job observe --group seen --json --dry-run']),
    ...commands(['job observe --group seen --expect 1'], ['job observe --group seen --yes']),
    ...commands(['job observe seen --json'], ['job observe nobody']),
    ...commands(['job remove seen']),
    ...commands([
      'job add later --cron @daily --command true --paused-until 2090-01-01T00:00:00Z --json',
    ]),
    ...commands(['job show later --wide'], ['job why later --wide'], ['job remove later']),
    ...commands(
      ['job why', odd],
      ['job why tidy --json'],
      ['job why every --all'],
      ['job why nobody'],
    ),
    ...manyJobs(),
    ...commands(['job diff tidy'], ['job diff tidy 1 2 --json'], ['job diff tidy 1 --wide']),
    ...commands(['job diff nobody'], ['job diff tidy 99'], ['job rollback tidy 1']),
    ...commands(
      ['job rollback tidy 1 --json'],
      ['job rollback tidy 99'],
      ['job rollback nobody 1'],
    ),
    // Who did it differs between the two ways.
    ...commands(
      ['audit --actor nobody --since 1h --limit 5 --job tidy --wide'],
      ['audit --job no'],
      ['audit --actor nobody --json'],
    ),
  ];
}

/** What is done to all jobs that match, and to all of a group or a tag together. */
function manyJobs(): ScriptCommand[] {
  const add = (name: string) => `job add ${name} --cron @daily --command true --group many --tag z`;
  const looks = [
    ...['--group many --dry-run', '--tag z --dry-run --json', '--text many- --expect 9'],
    '--failed --state idle --dry-run',
  ];
  const actions = ['pause', 'resume', 'run', 'remove'];
  return [
    ...commands([add('many-1')], [add('many-2')], ['job pause many-2 --note x']),
    ...actions.flatMap((each) => looks.flatMap((look) => commands([`job ${each} ${look}`]))),
    ...commands(
      ['pause --group many --dry-run'],
      ['pause --tag z'],
      ['pause --all --expect 99 --json'],
    ),
    reads('', ...['pause', '--group', 'many', '--yes', '--note', 'a move', '--until', '2h']),
    ...commands(['job list --group many'], ['job show many-1'], ['job why many-1']),
    ...commands(['resume --tag z --yes'], ['resume --all --dry-run'], ['resume --group many']),
    ...commands(['resume --group many --yes --json'], ['resume --all --expect 7']),
    ...commands(['job pause --group many --yes --until 2h --json'], ['job resume --tag z --yes']),
    ...commands(['job run --text many- --yes'], ['job run --tag z --yes --json --request-id many']),
    ...commands(['job remove --group many --expect 2'], ['job remove --group many --yes']),
    ...commands(['job remove'], ['pause --all --tag z'], ['job run --tag z --env A=1 --yes']),
  ];
}

/** Each field of a job but `kind` and `dialect`, which do not go with others. */
function everyWord(): string[] {
  return [
    ...['job', 'add', 'every', '--cron', '0 0 1 1 *', '--cron', '5 5 5 5 *', '--command', 'true'],
    ...words('--timezone UTC --env A=1 --secret-env SECRET_TOKEN --cwd /tmp --stdin text'),
    ...words('--dst-gap skip --dst-fold both --not-before 2020-01-01T00:00:00Z'),
    ...words('--not-after 2090-01-01T00:00:00Z --exclude 2030-12-24 --splay 10s --overlap skip'),
    ...words('--parallel 2 --misfire once --catch-up 2h --node-loss rerun --on-fence kill'),
    ...words('--retries 2 --retry-delay 5s --retry-backoff fixed --retry-delay-max 1m'),
    ...words('--no-retry-jitter --retry-on timeout --start-deadline 30s --max-runs 7'),
    ...words('--pause-after-failures 5 --on-node w1 --on-label gpu --not-on-node w9'),
    ...words('--not-on-label old --timeout 90s --grace 5s --leftovers kill --user nobody'),
    ...words('--umask 027 --nice 5 --memory-max 1GiB --cpu-time-max 2m --output-max 1KiB'),
    ...words('--after once:end --group ours --tag z --keep-days 30 --keep-runs 1000 --json'),
    ...['--description', 'what it is for'],
  ];
}

function runs(): (ScriptCommand | NodeStep)[] {
  return [
    ...commands(['job run once --request-id r1 --env X=1 --json'], ['job run once --node nobody']),
    ...commands(['job run once --request-id r1'], ['job run nobody'], ['run show r1 --json']),
    ...commands(['job log once'], ['job stop once --json'], ['job stop nobody --wait']),
    ...commands(['run stop r1 --json'], ['run stop r1'], ['run show r1'], ['run show ../jobs']),
    ...commands(['run show s6408a5…:11'], ['run stop s6408a5…:11'], ['run retry s6408a5…:11']),
    ...commands(['run log r1 --json'], ['run retry r1'], ['runs --json'], ['runs --running']),
    ...commands(['job run once --request-id r2'], ['run stop r2 --wait']),
    ...commands(['job run once --request-id r3 --wait --raw --wait-timeout 100ms']),
    ...commands(['job run once --ignore-overlap --request-id r4'], ['run stop r4']),
    endRun,
    ...commands(['job run once --request-id r3 --wait'], ['run show r3'], ['run show r3 --json']),
    ...commands(
      ['run log r3 --raw'],
      ['run log r3 --json'],
      ['run log r3 --follow'],
      ['run stop r3'],
    ),
    ...commands(['run retry r3 --wait --raw --wait-timeout 100ms'], ['run retry r3 --json']),
    ...commands(['run retry r3'], ['run retry nobody'], ['run log nobody']),
    ...commands(['job log once --raw'], ['job log once --follow'], ['job log once --json']),
    ...commands(['job log nobody'], ['run retry r3 --env PATH=x'], ['run retry nobody --env A=1']),
    ...commands(
      ['runs --wide'],
      ['runs --json --job once --since 1h --limit 1'],
      ['runs --job nobody'],
      ['runs --failed --group default --json'],
      ['runs --result succeeded --node w1'],
      ['runs --group nobody'],
    ),
    beginRun,
    ...commands(['runs --running'], ['runs --running --json'], ['job show once'], ['job list']),
    ...commands(['job log once'], ['job stop once'], ['job stop once --json'], ['job show once']),
    ...commands(['backfill --dry-run', odd, ...days], ['backfill', odd, ...days]),
    ...commands(
      ['backfill --max 9 --request-id b1 --json', odd, ...days],
      ['backfill tidy', ...year],
    ),
  ];
}

async function endRun(node: TestNode): Promise<void> {
  const launch = await claimOnce(node);
  await node.start(launch);
  const output = Buffer.from('out\u0000put\n');
  await node.store.writeOutputs([{ launchId: launch.launchId, output }]);
  const ended = { result: 'failed', exitCode: 3, output, outputBytes: output.length } as const;
  await node.finish(launch, ended);
}

async function beginRun(node: TestNode): Promise<void> {
  await node.start(await claimOnce(node));
}

async function claimOnce(node: TestNode): Promise<Launch> {
  const launch = (await node.claim()).find(({ definition }) => definition.name === 'once');
  if (launch === undefined) throw new Error('nothing was requested');
  return launch;
}

function nodes(): ScriptCommand[] {
  return [
    ...commands(['group add web --node w2 --node w1 --json'], ['group add web --node w2']),
    ...commands(['job edit tidy --on-group web'], ['group edit web --add-node w3']),
    ...commands(['group edit web --add-node w3 --json'], ['group edit nobody --add-node w3']),
    ...commands(['group edit web --node w4 --node w1'], ['group edit web --remove-node w4']),
    ...commands(['group remove web'], ['group show web --json'], ['group show web']),
    ...commands(
      ['group list'],
      ['group list --json'],
      ['group add db'],
      ['group remove db --json'],
    ),
    ...commands(['limit set shop 2 --json'], ['limit set shop 3'], ['limit list --json']),
    ...commands(['limit list'], ['limit remove shop'], ['limit remove shop --json']),
    ...commands(['cluster --wide'], ['cluster --json --ended 1d'], ['cluster forget gone --json']),
    ...commands(['cluster forget w1'], ['node cordon w1 --note', 'new disk']),
    ...commands(['node cordon w1 --json'], ['node cordon nobody']),
    ...commands(['node drain w1 --no-wait --json']),
    ...commands(['node drain w1 --wait-timeout 1ms --note', 'a disk']),
    ...commands(['node drain w1 --no-wait --note', 'newer disk'], ['node uncordon w1 --json']),
    ...commands(['node uncordon w1'], ['node uncordon nobody']),
  ];
}

function files(): ScriptCommand[] {
  const read = ['import', '-', '--timezone', 'UTC'];
  const system = crontab.replaceAll('* * *', '* * * nobody').replace('@daily', '@daily nobody');
  return [
    ...commands(['export'], ['export --format crontab --system'], ['export --user nobody']),
    ...commands(['export --format crontab --user nobody --on-node w1 --timezone Europe/Berlin']),
    reads(crontab, ...read, '--dry-run', '--user-crontab', '--user', 'nobody'),
    reads(crontab, ...read),
    reads(crontab, ...read, '--replace', '--update', '--json'),
    reads(system, ...read, '--system', '--prefix', 'web1: ', '--skip-faults', '--group', 'g'),
    reads(others, ...read, '--prefix', 'seen: ', '--observe', '--paused', '--on-node', 'w1'),
    reads(others, ...read, '--prefix', 'seen: ', '--no-on-node'),
    ...commands(['job show tidy --json'], ['job remove', odd], ['job edit tidy --no-after']),
    ...commands(['job remove', odd], ['job remove', odd]),
    reads(others, ...words('apply - --format crontab --timezone UTC --group cron')),
    reads(
      `# theirs\n0 3 * * * nobody theirs\n`,
      ...words('apply - --format crontab --system --timezone UTC --group cron'),
    ),
    reads(onceFile, 'apply', '-', '--prune'),
    reads(onceFile, 'apply', '-', '--prune', '--yes'),
  ];
}

function tokens(): ScriptCommand[] {
  return [
    ...commands(['token add laptop --role operator --group web --group a --expires 90d --json']),
    ...commands(
      ['token add laptop'],
      ['token add grafana'],
      ['token list --wide'],
      ['token list --json'],
    ),
    ...commands(['token add past --expires 2020-01-01T00:00:00Z'], ['token revoke nobody']),
    ...commands(['token revoke laptop --json'], ['token revoke grafana'], ['token list']),
  ];
}

function notifications(): ScriptCommand[] {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const hook = ['--webhook', 'https://hooks.example.com/in'];
  return [
    ...commands([
      'notify add ops --mail ops@example.com --on failure,long-running --long-running 1h',
    ]),
    ...commands(['notify add ops --mail a@example.com'], ['notify add hook --json', ...hook]),
    ...commands(['notify add check --ping https://hc.example.com/5e6f --per-minute 7']),
    reads(secret, 'notify', 'add', 'signed', ...hook, '--secret-file', '-'),
    reads(secret, 'notify', 'edit', 'hook', '--secret-file', '-', '--per-minute', '3'),
    ...commands(['notify edit ops --address b@example.com --on missed --json']),
    ...commands(
      ['notify edit ops --long-running 2h'],
      ['notify edit ops --no-on --no-long-running'],
    ),
    ...commands(
      ['notify edit ops --no-on'],
      ['notify edit nobody --no-on'],
      ['notify list --json'],
    ),
    ...commands(['notify list --wide'], ['notify test hook --wait-timeout 0s --json']),
    ...commands(['notify test hook --wait-timeout 1ms']),
    ...commands(['notify log --wide'], ['notify log hook --limit 1'], ['notify log --json']),
    ...commands([
      'job edit once --notify-to ops --notify-on failure,long-running --long-running 1h',
    ]),
    ...commands(['job edit once --ping check'], ['job show once --json']),
    ...commands(
      ['notify mutes --json'],
      ['notify mute once --until 1h --note disk'],
      ['job show once'],
    ),
    ...commands(['notify mute --group default --until 2031-01-01T00:00:00Z --json']),
    ...commands(['notify mute --target ops --until 8h'], ['notify mutes --wide'], ['job why once']),
    ...commands(['notify mute nobody --until 1h'], ['notify unmute'], ['notify unmute once']),
    ...commands(['notify unmute --group default --json'], ['notify unmute --target ops']),
    ...commands(['notify remove ops'], ['notify remove signed --json']),
    ...commands(['notify retry hook'], ['notify retry hook --json'], ['notify remove hook']),
  ];
}

/** Command lines: words with blanks between them, then arguments that may have some in them. */
function commands(
  ...lines: readonly (readonly [text: string, ...args: string[]])[]
): ScriptCommand[] {
  return lines.map(([text, ...args]) => ({ args: [...words(text), ...args] }));
}

function reads(input: string, ...args: string[]): ScriptCommand {
  return { args, input };
}

function words(text: string): string[] {
  return text.split(' ');
}
