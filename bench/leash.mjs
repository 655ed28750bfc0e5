// Loaded into a process that a benchmark starts: ends it, as an operator would, when the benchmark is gone, even by `kill -9`.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
