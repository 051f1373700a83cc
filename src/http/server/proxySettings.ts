import type { Role } from '../../domain/access/role.ts';

/** What is believed of reverse proxies that stand before a node. */
export interface ProxySettings {
  /** Their addresses, or ranges of them: whose `X-Forwarded-For` counts. */
  readonly from: readonly string[];
  /** How they say who sends a request; null: they do not. */
  readonly people: PeopleSettings | null;
}

/** How a proxy that people log in to names them, and what they may do. */
export interface PeopleSettings {
  readonly userHeader: string;
  /** Its value is a list with commas between; null: groups count nothing. */
  readonly groupsHeader: string | null;
  /** What a proxy sends as `X-Statecron-Proxy-Secret`; null: its address is enough. */
  readonly secret: string | null;
  readonly rights: readonly Right[];
  /** Of whom no right is for; null: they may do nothing. */
  readonly defaultRole: Role | null;
}

/** What somebody may do whom the proxy names, or who is in a group of the proxy. */
export interface Right {
  readonly of: 'user' | 'group';
  readonly name: string;
  readonly role: Role;
  /** The only groups of jobs that it is for; null: every job. */
  readonly groups: readonly string[] | null;
}
