import { Command } from 'commander';

await new Command('pierhead').version('0.1.0').parseAsync();
