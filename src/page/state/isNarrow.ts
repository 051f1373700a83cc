import { signal } from '@preact/signals';

const query = matchMedia('(max-width: 59.99rem)');

/** True: a telephone, or a window as narrow, where a table's rows become cards. */
export const isNarrow = signal(query.matches);

query.addEventListener('change', () => {
  isNarrow.value = query.matches;
});
