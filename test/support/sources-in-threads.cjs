// A preload of the tests: their threads load the sources, as the threads of the built service load what was made of them.
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { isMainThread } = require('node:worker_threads');
// In the main thread too: its native part crashes the process once the only thread that has loaded it ends.
const { transformSync } = require('@swc/core');

function loadSources() {
  const resolveFilename = Module._resolveFilename;
  Module._resolveFilename = (request, parent, ...rest) => {
    const source = path.resolve(parent?.filename ? path.dirname(parent.filename) : '.', request).replace(/js$/, 'ts');
    const isSource = /^[./].*\.js$/.test(request) && !source.includes('/node_modules/') && existsSync(source);
    return resolveFilename(isSource ? source : request, parent, ...rest);
  };
  Module._extensions['.ts'] = (module, filename) => {
    const options = { filename, sourceMaps: 'inline', module: { type: 'commonjs' } };
    module._compile(transformSync(readFileSync(filename, 'utf8'), options).code, filename);
  };
}

if (!isMainThread) loadSources();
