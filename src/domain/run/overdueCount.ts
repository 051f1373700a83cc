/** Of slots that are long overdue no more are counted beside what is next: it is to cost little. */
export const overdueCountMax = 100;
