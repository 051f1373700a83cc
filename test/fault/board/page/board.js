/** Shows what the server tells four times a second, and sends what is pressed. */

const part = (id) => document.getElementById(id);
const buttons = new Map();
let hasLeft = false;

function element(name, text = '', children = []) {
  const made = document.createElement(name);
  if (text !== '') made.textContent = text;
  made.append(...children);
  return made;
}

async function send(name, body = {}) {
  const headers = { 'Content-Type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const said = part('said');
  said.textContent = '';
  try {
    const answer = await fetch(name, request);
    const { refusal } = await answer.json();
    if (refusal !== null) said.textContent = `${body.kind}: ${refusal}`;
  } catch {
    said.textContent = 'The supervisor does not answer.';
  }
}

function press(kind, takes) {
  const node = takes === 'node' ? part('target').value : '';
  send('press', { kind, node: node === '' ? null : node });
}

/** Made once, so that none moves away under the pointer. */
function makeButtons(groups) {
  for (const { title, kinds } of groups) {
    const rows = kinds.map(({ kind, takes }) => {
      const times = element('span');
      const button = element('button', `${kind} `, [times]);
      const heal = element('button', 'Heal');
      button.type = heal.type = 'button';
      heal.hidden = true;
      heal.setAttribute('aria-label', `Heal: ${kind}`);
      button.addEventListener('click', () => press(kind, takes));
      heal.addEventListener('click', () => send('heal', { kind }));
      buttons.set(kind, { button, heal, times });
      return element('div', '', [button, heal]);
    });
    const reasons = new Set(kinds.map(({ never }) => never).filter((reason) => reason !== ''));
    const notes = [...reasons].map((reason) => element('p', reason));
    part('faults').append(element('section', '', [element('h2', title), ...notes, ...rows]));
  }
}

function showFaults({ groups, isOpen, lasting }) {
  if (buttons.size === 0) makeButtons(groups);
  for (const { kind, never, times, waits } of groups.flatMap(({ kinds }) => kinds)) {
    const { button, heal, times: shown } = buttons.get(kind);
    const own = lasting.filter((fault) => fault.kind === kind);
    button.disabled = !isOpen || never !== '' || waits !== '';
    button.setAttribute('aria-pressed', own.length > 0);
    button.title = never || waits || own.map(({ detail }) => detail).join('; ');
    shown.textContent = times === 0 ? '' : `· ${times}`;
    heal.hidden = own.length === 0;
    heal.disabled = !own.some(({ phase }) => phase !== 'healing');
  }
}

const phases = { asked: 'waits for its moment', healing: 'healing' };

function tellFault({ kind, detail, leftMs, phase }) {
  const left = `${Math.ceil(leftMs / 1000)} s left; ${detail}`;
  const line = element('em', `${kind}: ${phase === 'on' ? left : phases[phase]}`);
  line.title = detail;
  return line;
}

function showCluster({ nodes, servers, lasting }) {
  const target = part('target');
  for (const { name } of nodes.slice(target.options.length - 1)) target.append(new Option(name));
  const cards = nodes.map(({ name, state, sessionId, guardianPid, nodePid }) => {
    const processes = `guardian ${guardianPid ?? '–'}, node ${nodePid ?? '–'}`;
    const session = sessionId === '' ? 'no session' : `session ${sessionId.slice(0, 8)}…`;
    const own = lasting.filter(({ node }) => node === name);
    return card(name, state, [processes, session], own);
  });
  const others = lasting.filter(({ node }) => node === null);
  const databases = servers.map(({ name, state, detail }, at) =>
    card(name, state, [`database, ${detail}`], at === 0 ? others : []),
  );
  part('cluster').replaceChildren(...cards, ...databases);
}

function card(name, state, details, faults) {
  const lines = details.flatMap((line) => [element('br'), element('small', line)]);
  const made = element('li', '', [element('b', name), ` ${state}`, ...lines]);
  made.append(...faults.map(tellFault));
  made.dataset.state = state;
  return made;
}

/** Before the end a light says no more than what was found up to an instant. */
function showRules({ rules, judgedMs, phase }) {
  const until = judgedMs === null ? '' : new Date(judgedMs).toLocaleTimeString('en-GB');
  const lines = rules.map(({ rule, sentence, state, says, times }) => {
    const told = times > 0 ? ` – broken (${times})` : '';
    const line = element('li', '', [element('i'), element('b', rule), sentence + told]);
    line.dataset.state = state;
    line.title = state === 'sofar' ? `no violation found up to ${until}` : says;
    return line;
  });
  part('rules').replaceChildren(...lines);
  const isAny = rules.some(({ times }) => times > 0);
  const found = isAny ? 'violations found up to' : 'no violation found up to';
  const soFar = until === '' ? 'not judged yet' : `${found} ${until}`;
  part('judged').textContent = phase === 'judged' ? 'all of the run' : soFar;
}

function showOperations({ operations, outcomes }) {
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  part('outcomes').textContent = counts.join(', ');
  const lines = operations.map(({ second, kind, job, outcome, detail }) => {
    const told = [`${second} s ${kind} ${job} `, element('b', outcome), ' '];
    const line = element('li', '', [...told, element('small', detail)]);
    line.dataset.outcome = outcome;
    return line;
  });
  part('operations').replaceChildren(...lines);
}

function show(view) {
  const { isDealing, isOpen, phase, seconds, secondsMax } = view;
  part('about').textContent = `seed ${view.seed}, ${view.engine}`;
  part('phase').textContent = phase === 'faults' ? `${seconds} of ${secondsMax} s` : phase;
  part('progress').max = secondsMax;
  part('progress').value = Math.min(seconds, secondsMax);
  part('deal').textContent = isDealing ? 'Stop dealing' : 'Deal by seed';
  part('deal').setAttribute('aria-pressed', isDealing);
  part('deal').disabled = part('finish').disabled = !isOpen;
  if (view.groups.length > 0) showFaults(view);
  showCluster(view);
  showRules(view);
  showOperations(view);
  part('troubles').replaceChildren(...view.troubles.map((text) => element('li', text)));
  part('replay').querySelector('code').textContent = view.replay;
  if (phase === 'judged' && !hasLeft) leave(view);
}

/** The lights are to be seen before the report takes their place. */
function leave({ isClean }) {
  hasLeft = true;
  part('phase').textContent = isClean ? 'no promise was broken' : 'promises were broken';
  setTimeout(() => location.assign('report'), 2_500);
}

const events = new EventSource('events');
events.addEventListener('message', ({ data }) => show(JSON.parse(data)));
events.addEventListener('error', () => {
  if (!hasLeft) part('phase').textContent = 'the supervisor does not answer';
});
part('deal').addEventListener('click', ({ currentTarget }) =>
  send('deal', { on: currentTarget.getAttribute('aria-pressed') === 'false' }),
);
part('finish').addEventListener('click', () => send('finish'));
