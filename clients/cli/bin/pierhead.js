#!/usr/bin/env node
import { existsSync } from 'node:fs';

const bundle = new URL('../dist/main.js', import.meta.url);
if (existsSync(bundle)) await import(bundle.href);
else {
  process.stderr.write('pierhead is not built yet. Run: npm run build -w pierhead\n');
  process.exitCode = 1;
}
