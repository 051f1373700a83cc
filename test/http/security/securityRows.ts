/**
 * What happened to others, by the number that the world knows it under, and what is known of HTTP
 * servers and databases altogether. Each has a test whose title names it.
 */
export const securityRows: Readonly<Record<string, readonly string[]>> = {
  'a shared token that is empty or usual': ['XXL-JOB #3328', 'SSVID-99779'],
  'own credentials sent to an address of a user': [
    ...['CVE-2022-43183', 'GHSA-83w4-x5w9-hf4h', '#3002', '#3375', '#3935'],
  ],
  'addresses that others give': [
    ...['of this machine or its network is not asked', 'a name is resolved once'],
    ...['a redirect is an answer and is not followed', 'of an endless answer', 'a byte at a time'],
  ],
  'things of others': [
    ...['CVE-2023-48089', '#3333', 'CVE-2023-33779', 'CVE-2022-36157', 'GHSA-6rq7-m52p-8pqg'],
  ],
  'changes asked for by other sites': ['CVE-2020-24922', 'GHSA-pv4m-h859-jwmq', 'CVE-2021-39133'],
  'HTML in names and logs': ['CVE-2020-23814', 'logDetailPage 2.4.0', 'CVE-2026-55562', '#752'],
  'alternate URLs': [
    ...['CVE-2023-48222', 'GHSA-phmw-jx86-x666', 'CVE-2023-47112', 'GHSA-xvmv-4rx6-x6jx'],
    ...['GHSA-5679-7qrc-5m7j', 'CVE-2021-41112', 'CVE-2026-53576'],
  ],
  'files that are code': ['CVE-2021-39132'],
  'secrets that can be read': ['CVE-2021-41111', 'CVE-2022-31044', 'CVE-2022-29186'],
  'unknown keys': ['CVE-2026-58255'],
  'outputs that are commands': ['CVE-2026-39401'],
  'variables that are programs': ['CVE-2026-85076'],
  'formats by parameters': ['#755', '#931', '#930', '#546'],
  'no lock by default': [
    ...['GHSA-6qr9-g2xw-cw92', 'dkron #176', '#302', '#1196', 'cronsun admin@admin.com'],
    'crontab-ui #179',
  ],
  'streams without a token': ['CVE-2026-31882'],
  'ids that are paths': ['CVE-2026-27598', 'CVE-2026-31886'],
  'changes by GET': ['CVE-2026-49396'],
  'schedules that are templates': ['CVE-2020-26238', 'CVE-2021-41269'],
  'lists of good programs': ['dkron #319'],
  'the wrong user': ['CVE-2006-2607'],
  'HTTP and its clients': [
    ...['DNS rebinding', 'slowloris', 'a body of more than 256 KB', 'a body that was packed'],
    ...['no Origin is ever reflected', 'two lengths', 'there is no JSONP'],
    'connections that say nothing make room',
  ],
  'the language': ['prototype pollution', 'ReDoS'],
  'the database': ['SQL in a name', 'take one statement at a time'],
  'what is written elsewhere': ['log injection', 'mail: a line break', 'is text to be kept'],
  'who tries': ['a flood of tokens'],
  'who did it': ['a change and its row are there both or neither'],
  'passwords of the database': ['stands in no environment and no command line'],
};
