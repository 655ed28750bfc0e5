/** Exit codes of commands. Invalid settings end a command with `EXIT_CONFIG`, as they end the service. */
export const EXIT = { done: 0, failed: 1, usage: 2, notFound: 3, canceled: 130 } as const;
