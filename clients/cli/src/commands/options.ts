/** The extension that a command is about. */
export const EXTENSION = [
  '-e, --extension <name>',
  'name or id of the extension (default: that of pierhead.json, or the only one)',
] as const;
