import type { Screen } from './frame/screen.ts';

/**
 * Every screen, in the order of the navigation. To add one: a row here, its component in a folder
 * of `screens`, and its row in `test/browser/screenTable.ts`. CONTRIBUTING.md says more.
 */
export const screens: readonly Screen[] = [
  {
    ...{ path: [], title: 'Now', letter: 'n' },
    inNavigation: { icon: 'now', word: 'Now' },
    load: async () => (await import('./screens/now/nowScreen.tsx')).NowScreen,
  },
  {
    ...{ path: ['jobs'], title: 'Jobs', letter: 'j' },
    inNavigation: { icon: 'jobs', word: 'Jobs' },
    load: async () => (await import('./screens/jobs/jobsScreen.tsx')).JobsScreen,
  },
  {
    ...{ path: ['jobs', ':job'], title: ':job' },
    load: async () => (await import('./screens/job/jobScreen.tsx')).JobScreen,
  },
  {
    ...{ path: ['runs'], title: 'Runs', letter: 'r' },
    inNavigation: { icon: 'runs', word: 'Runs' },
    load: async () => (await import('./screens/runs/runsScreen.tsx')).RunsScreen,
  },
  {
    ...{ path: ['upcoming'], title: 'Upcoming', letter: 'p' },
    inNavigation: { icon: 'upcoming', word: 'Upcoming' },
    load: async () => (await import('./screens/upcoming/upcomingScreen.tsx')).UpcomingScreen,
  },
  {
    ...{ path: ['timeline'], title: 'Timeline', letter: 't' },
    inNavigation: { icon: 'timeline', word: 'Timeline' },
    load: async () => (await import('./screens/timeline/timelineScreen.tsx')).TimelineScreen,
  },
  {
    ...{ path: ['cluster'], title: 'Cluster', letter: 'c' },
    inNavigation: { icon: 'cluster', word: 'Cluster' },
    load: async () => (await import('./screens/cluster/clusterScreen.tsx')).ClusterScreen,
  },
  {
    ...{ path: ['groups'], title: 'Node groups', letter: 'g' },
    inNavigation: { icon: 'groups', word: 'Node groups', isMore: true },
    load: async () => (await import('./screens/groups/groupsScreen.tsx')).GroupsScreen,
  },
  {
    ...{ path: ['limits'], title: 'Limits', letter: 'l' },
    inNavigation: { icon: 'limits', word: 'Limits', isMore: true },
    load: async () => (await import('./screens/limits/limitsScreen.tsx')).LimitsScreen,
  },
  {
    ...{ path: ['notifications'], title: 'Notifications', letter: 'i' },
    inNavigation: { icon: 'bell', word: 'Notifications', isMore: true },
    load: async () =>
      (await import('./screens/notifications/notificationsScreen.tsx')).NotificationsScreen,
  },
  {
    ...{ path: ['machines'], title: 'Machines', letter: 'm' },
    inNavigation: { icon: 'machines', word: 'Machines', isMore: true },
    load: async () => (await import('./screens/machines/machinesScreen.tsx')).MachinesScreen,
  },
  {
    ...{ path: ['plan'], title: 'Plan', letter: 'f' },
    inNavigation: { icon: 'plan', word: 'Plan', isMore: true },
    load: async () => (await import('./screens/plan/planScreen.tsx')).PlanScreen,
  },
  {
    ...{ path: ['verify'], title: 'Verify', letter: 'v' },
    inNavigation: { icon: 'verify', word: 'Verify', isMore: true },
    load: async () => (await import('./screens/verify/verifyScreen.tsx')).VerifyScreen,
  },
  {
    ...{ path: ['audit'], title: 'Audit', letter: 'u', needs: 'admin' },
    inNavigation: { icon: 'audit', word: 'Audit', isMore: true },
    load: async () => (await import('./screens/audit/auditScreen.tsx')).AuditScreen,
  },
  {
    ...{ path: ['tokens'], title: 'Tokens', letter: 'o', needs: 'admin' },
    inNavigation: { icon: 'tokens', word: 'Tokens', isMore: true },
    load: async () => (await import('./screens/tokens/tokensScreen.tsx')).TokensScreen,
  },
  {
    ...{ path: ['add'], title: 'Add a job', letter: 'a', needs: 'operator' },
    load: async () => (await import('./screens/edit/editScreen.tsx')).AddScreen,
  },
  {
    ...{ path: ['jobs', ':job', 'edit'], title: 'Edit :job' },
    load: async () => (await import('./screens/edit/editScreen.tsx')).EditScreen,
  },
  {
    ...{ path: ['runs', ':run'], title: 'Run :run' },
    load: async () => (await import('./screens/run/runScreen.tsx')).RunScreen,
  },
];
