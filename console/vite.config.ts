import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

type Operation = { readonly security?: readonly Record<string, unknown>[] };

/** The routes that take the session cookie or nothing, as `METHOD /path`: all others want the access token. */
function routesWithoutToken(): readonly string[] {
  const { paths } = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security === undefined || security.some((one) => 'cookie' in one))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

const COMPRESSED = /\.(js|css|svg|html)$/;

/** Writes each text file compressed too, so that the service compresses nothing. Vite changes chunks until they are written. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((each) => COMPRESSED.test(each))) {
      const path = join(dir, name);
      const text = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(text));
      writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
    }
  },
});

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed()],
  define: { ROUTES_WITHOUT_TOKEN: JSON.stringify(routesWithoutToken()) },
  build: {
    target: 'es2023',
    // The content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    emptyOutDir: true,
    reportCompressedSize: false,
  },
});
