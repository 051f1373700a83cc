import type { Api } from '../../authentication/api.ts';

export type ApiDocument = ReturnType<Api['getOpenAPI31Document']>;

/** The OpenAPI 3.1 document of all routes that were added before. */
export function apiDocument(api: Api, version: string): ApiDocument {
  const { openAPIRegistry: registry } = api;
  registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A token, made by: statecron token add NAME',
  });
  registry.registerComponent('securitySchemes', 'login', {
    type: 'apiKey',
    in: 'cookie',
    name: 'statecron',
    description: 'The cookie of a browser that is logged in.',
  });
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'statecron', version, description, license: { name: 'MIT' } },
    servers: [{ url: '/', description: 'The node that answers; any other will do, too.' }],
    tags,
  });
}

const description = `A distributed crontab: every node answers for the whole cluster.

Instants are ISO 8601 in UTC with milliseconds. Errors are problems of RFC 9457 with a stable
\`code\` and a \`hint\`; \`errors\` names the fields at fault. Unknown fields are refused. Lists are
read page by page: \`next\` of one page is \`after\` of the following. Changes of a job name the
revision that was read by \`If-Match\`. A POST with an \`Idempotency-Key\` is done once, however
often it is sent.`;

const tags = [
  { name: 'jobs', description: 'What shall run, and when.' },
  { name: 'revisions', description: 'What jobs were before.' },
  { name: 'runs', description: 'What ran, runs, or did not.' },
  { name: 'files', description: 'Files of jobs.' },
  { name: 'schedule', description: 'What a schedule means.' },
  { name: 'cluster', description: 'Nodes and their sessions.' },
  { name: 'groups', description: 'Groups of nodes, which the targets of jobs name.' },
  { name: 'limits', description: 'Limits of groups of jobs.' },
  { name: 'notify', description: 'Notification targets, and what was sent to them.' },
  { name: 'machines', description: 'The statecharts that run.' },
  { name: 'events', description: 'What happens, as it happens.' },
  { name: 'audit', description: 'Who changed what.' },
  { name: 'tokens', description: 'Who may.' },
  { name: 'logins', description: 'Browsers that come with a token.' },
  { name: 'health', description: 'How the node itself does.' },
];
