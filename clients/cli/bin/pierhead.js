#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';

// From Node.js 22 on, the second start need not compile the program.
module.enableCompileCache?.();

const bundle = new URL('../dist/main.js', import.meta.url);
if (existsSync(bundle)) await import(bundle.href);
else {
  process.stderr.write('pierhead is not built yet. Run: npm run build -w pierhead\n');
  process.exitCode = 1;
}
