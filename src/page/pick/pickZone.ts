import { callApi } from '../api/callApi.ts';
import { zone } from '../state/choices.ts';
import { nowMs } from '../state/clock.ts';
import { place } from '../state/place.ts';
import { isKnownZone, localZone, type Zone } from '../text/formatTime.ts';
import { findZones, zoneMore } from './findZones.ts';
import { type PickItem, pick } from './pickDialog.tsx';

const shownMax = 50;

/** In which zone times are to be shown: first the job's that is shown, this browser's and UTC. */
export function pickZone(): void {
  const ofJob = readJobsZone();
  pick({
    label: 'Times in the zone of a city, or +09:00',
    find: async (text) => {
      const atMs = nowMs.peek();
      if (text.trim() !== '') {
        return findZones(text, atMs)
          .slice(0, shownMax)
          .map(({ more, zone: found }) => zonePick(found, more));
      }
      const whose = new Map<Zone, string>();
      const note = (of: Zone | null, words: string) => {
        if (of !== null) whose.set(of, [whose.get(of), words].filter(Boolean).join(', '));
      };
      note(await ofJob, 'the job’s');
      note(localZone, 'this browser’s');
      note('UTC', '');
      note(zone.peek(), 'as now');
      return [...whose].map(([found, words]) =>
        zonePick(found, [words, zoneMore(found, atMs)].filter(Boolean).join(': ')),
      );
    },
  });
}

function zonePick(chosen: Zone, more: string): PickItem {
  const act = () => {
    zone.value = chosen;
  };
  return { text: chosen, more, act };
}

/** Null: no job is shown, or the browser does not know its zone. */
async function readJobsZone(): Promise<Zone | null> {
  const [first, name] = place.value.path;
  if (first !== 'jobs' || name === undefined) return null;
  const answer = await callApi('GET /jobs', { query: { name: [name] } }).catch(() => null);
  const timezone = answer?.items[0]?.timezone;
  return timezone !== undefined && isKnownZone(timezone) ? timezone : null;
}
