import { freePort } from '../proxy/freePort.ts';

/** The ports by which the members of a Galera cluster talk to each other. */
export interface GaleraPorts {
  readonly group: number;
  readonly incremental: number;
  readonly transfer: number;
}

export async function galeraPorts(): Promise<GaleraPorts> {
  return {
    group: await freePort(),
    incremental: await freePort(),
    transfer: await freePort(),
  };
}

/**
 * What makes a MariaDB a member. A silent member is suspected after 2 s and given up after 5 s;
 * such short times need a keep-alive of less than a third, else the server does not start (errno
 * 34).
 */
export function galeraArgs(
  name: string,
  provider: string,
  own: GaleraPorts,
  all: readonly GaleraPorts[],
): string[] {
  const provided = {
    base_host: '127.0.0.1',
    base_port: own.group,
    'gmcast.listen_addr': `tcp://127.0.0.1:${own.group}`,
    'ist.recv_addr': `127.0.0.1:${own.incremental}`,
    'gcache.size': '64M',
    'pc.recovery': 'no',
    'evs.keepalive_period': 'PT0.5S',
    'evs.inactive_check_period': 'PT0.5S',
    'evs.suspect_timeout': 'PT2S',
    'evs.install_timeout': 'PT2S',
    'evs.inactive_timeout': 'PT5S',
  };
  const options = Object.entries(provided).map(([key, value]) => `${key}=${value}`);
  const addresses = all.map(({ group }) => `127.0.0.1:${group}`);
  return [
    '--binlog-format=ROW',
    '--default-storage-engine=InnoDB',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${provider}`,
    '--wsrep-cluster-name=statecron-fault',
    `--wsrep-cluster-address=gcomm://${addresses.join(',')}`,
    `--wsrep-node-name=${name}`,
    `--wsrep-node-address=127.0.0.1:${own.group}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${own.transfer}`,
    `--wsrep-provider-options=${options.join(';')}`,
  ];
}
