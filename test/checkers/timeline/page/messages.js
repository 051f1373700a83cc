import { data, secondsText, short } from './scale.js';
import { element, tableOf } from './tell.js';

/** What the actors of its node said of a launch, and why there is nothing or no more of it. */
export function messagesOf(launchId) {
  const found = data.messages?.launches[launchId];
  if (found === undefined) {
    const why = data.messages === null ? 'nobody asked for them' : 'messages.json may have them';
    return [element('p', `Not here: ${why}.`, 'soft')];
  }
  const { said, gap } = found;
  const rows = said.map(([at, kind]) => {
    const [from, to, event, state] = data.messages.kinds[kind];
    return [secondsText(at), from === null ? to : `${from} > ${to}`, event, state ?? ''];
  });
  const table = tableOf(['at', 'actors', 'message', 'state of the slot'], rows);
  const why = element('p', `${said.length === 0 ? 'None' : 'No more'}: ${gap}.`, 'gap');
  return [...(said.length === 0 ? [] : [table]), ...(gap === null ? [] : [why])];
}

/** The messages of the launches of a violation, one beside the other. */
export function messagesAbout({ launches }) {
  const part = element('details', undefined, 'messages');
  const counts = launches.map(({ launchId }) => {
    const { said = [] } = data.messages?.launches[launchId] ?? {};
    return `${short(launchId)} ${said.length === 0 ? 'none' : said.length}`;
  });
  const all = element('section', undefined, 'reported');
  all.tabIndex = 0;
  all.setAttribute('aria-label', 'Messages of the actors');
  for (const { launchId, node } of launches) {
    const own = element('div');
    own.append(element('h3', `${short(launchId)}, node ${node}`), ...messagesOf(launchId));
    all.append(own);
  }
  part.append(element('summary', `Messages of the actors: ${counts.join(', ')}`), all);
  return part;
}
