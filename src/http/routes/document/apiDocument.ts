import type { Api } from '../../authentication/api.ts';

export type ApiDocument = ReturnType<Api['getOpenAPI31Document']>;

/** The OpenAPI 3.1 document of all routes that were added before. */
export function apiDocument(api: Api, version: string): ApiDocument {
  const { openAPIRegistry: registry } = api;
  registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A token; `statecron token add NAME` makes one.',
  });
  registry.registerComponent('securitySchemes', 'login', {
    type: 'apiKey',
    in: 'cookie',
    name: 'statecron',
    description: 'The cookie of a logged-in browser.',
  });
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'statecron', version, description, license: { name: 'MIT' } },
    servers: [{ url: '/', description: 'This node; any other node answers the same.' }],
    tags,
  });
}

const description = `A distributed crontab. Each node serves this API, and each answers for the
whole cluster. Send a token with each request: \`Authorization: Bearer TOKEN\`.
\`statecron token add\` makes one.

Instants are ISO 8601 in UTC with milliseconds. Fields that a route does not know are refused. Lists
come in pages: send \`next\` of a page as \`after\` of the following request. A change of a job
names the version that was read by \`If-Match\`. A change with an \`Idempotency-Key\` is made once,
however often the request is sent. Errors are problems (RFC 9457) with a stable \`code\` and a
\`hint\`.`;

const tags = [
  { name: 'jobs', description: 'A job is a name, a schedule, a command and policies.' },
  { name: 'revisions', description: 'The definitions that a job has had.' },
  { name: 'runs', description: 'What has run, is running, or did not run, and its output.' },
  { name: 'files', description: 'Jobs in a file: plan and apply it.' },
  { name: 'schedule', description: 'The ticks of a schedule, without a job.' },
  {
    name: 'cluster',
    description: 'Nodes and their sessions, and the verification of the history.',
  },
  { name: 'groups', description: 'Groups of nodes, by which jobs say where they run.' },
  { name: 'limits', description: 'How many launches the jobs of a group may have at once.' },
  { name: 'notify', description: 'Notification targets, and the notifications sent to them.' },
  { name: 'machines', description: 'The statecharts that nodes run.' },
  { name: 'events', description: 'What happens in the cluster, as server-sent events.' },
  { name: 'audit', description: 'Changes, and who made them.' },
  { name: 'tokens', description: 'Tokens, which requests are authenticated by.' },
  { name: 'logins', description: 'Logins of browsers: a cookie instead of a token.' },
  { name: 'health', description: 'Health and metrics of the node that answers.' },
];
