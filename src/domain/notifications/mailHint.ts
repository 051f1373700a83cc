/** What to do where no node sends mail: a sentence without its end. */
export const mailHint =
  'Mail is sent by nodes that were started with --smtp-url-file and --mail-from; see: ' +
  'statecron docs notifications';
