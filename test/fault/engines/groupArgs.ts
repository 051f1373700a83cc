/**
 * What makes a MySQL a member of a replication group. The performance schema stays on, since it is
 * where a member tells its state; without its instruments it takes little.
 */
export function groupArgs(group: {
  id: string;
  serverId: number;
  port: number;
  ownPort: number;
  ports: readonly number[];
  multiPrimary: boolean;
  expelSeconds: number;
}): string[] {
  const settings = {
    'group-name': group.id,
    'start-on-boot': 'OFF',
    'local-address': `127.0.0.1:${group.ownPort}`,
    'group-seeds': group.ports.map((port) => `127.0.0.1:${port}`).join(','),
    'ip-allowlist': '127.0.0.1',
    'single-primary-mode': group.multiPrimary ? 'OFF' : 'ON',
    'enforce-update-everywhere-checks': group.multiPrimary ? 'ON' : 'OFF',
    'recovery-get-public-key': 'ON',
    'member-expel-timeout': String(group.expelSeconds),
    // A cache of what the group said, for members that were away; the least that it may be.
    'message-cache-size': String(128 * 1024 * 1024),
  };
  return [
    '--performance-schema=ON',
    '--performance-schema-instrument=%=OFF',
    '--max-connections=200',
    '--table-open-cache=400',
    `--server-id=${group.serverId}`,
    '--report-host=127.0.0.1',
    `--report-port=${group.port}`,
    '--gtid-mode=ON',
    '--enforce-gtid-consistency=ON',
    '--log-bin=binlog',
    '--plugin-load-add=group_replication.so',
    ...Object.entries(settings).map(([key, value]) => `--loose-group-replication-${key}=${value}`),
  ];
}
