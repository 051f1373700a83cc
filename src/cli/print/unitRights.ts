/** As whom the node of a printed unit runs, and so what its jobs may do. */
interface UnitRights {
  readonly user: string;
  /** Line of the unit's head: how to make that user; empty: it is there. */
  readonly made: string;
  /** Comment of the unit's head. */
  readonly said: string;
  readonly settings: string;
}

/**
 * An ordinary user. It could not end what a job has started with more rights than its own, by sudo
 * for example, when the node is fenced or the job is to stop, so that nothing gains rights here.
 * Nothing else is taken from jobs: what works under cron is to work here.
 */
export const rightsOfNode: UnitRights = {
  user: 'statecron',
  made: '#   useradd --system --home-dir /var/lib/statecron --shell /usr/sbin/nologin statecron\n',
  said: `# Jobs run as this service's user. Unlike under cron nothing that they start gains
# rights, see the last lines of [Service]. Where jobs are to run as users of their own, print it
# anew with --allow-user NAME for each: that unit is root's, and takes nothing from jobs.`,
  settings: `
# sudo, su and what else has the set-user-ID or set-group-ID bit (crontab, the sendmail of Postfix,
# rootless containers) gain no rights. This user could not end what has more than its own, when the
# node is fenced or a job is stopped. Without these two lines jobs may, and such processes may stay.
NoNewPrivileges=yes
CapabilityBoundingSet=
`,
};

/** Root ends whatever its jobs start. */
export const rightsOfRoot: UnitRights = {
  user: 'root',
  made: '',
  said: `# The node is root, to run jobs as the users that ExecStart allows. Jobs that name no
# user run as root. Nothing is taken from them: they may do what they may under cron.`,
  settings: '',
};
