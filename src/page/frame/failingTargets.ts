import { callApi } from '../api/callApi.ts';
import { whyNotAdministrator } from '../api/session.ts';
import { useResource } from '../api/useResource.ts';

/** The targets of notifications whose last try failed, as far as the reader may see them. */
export function useFailingTargets(): readonly string[] {
  const targets = useResource('targets', {
    read: async (signal) => {
      if (whyNotAdministrator() !== null) return [];
      return (await callApi('GET /notify/targets', { signal })).items;
    },
    isAbout: ({ type }) => type.startsWith('notification.'),
    everyMs: 60_000,
  });
  const failing = targets.data.value?.filter(({ lastError }) => lastError !== null);
  return failing?.map(({ name }) => name) ?? [];
}
